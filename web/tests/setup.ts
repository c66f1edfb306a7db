import { afterEach } from "vitest";
import { cleanup, configure } from "@testing-library/react";

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
afterEach(cleanup);
// A busy machine is no reason to fail.
configure({ asyncUtilTimeout: 8_000 });
