import { expect, it } from "vitest";
import { bytes, compact, micros, wait } from "./words";

it("shortens large numbers", () => expect([950, 94_014, 999_900, 1_264_964, 1.5e9].map(compact)).toEqual(["950", "94 k", "1 M", "1.26 M", "1.5 G"]));
it("says times as fine as they need", () => expect([0, 937, 2_059, 17_300, 3_400_000, 125_000_000].map(micros)).toEqual(["0 ms", "0.94 ms", "2.1 ms", "17 ms", "3.4 s", "2 min 05 s"]));
it("says waits", () => expect([3_000, 300_000, 7_800_000, 86_400_000, 259_200_000].map(wait)).toEqual(["3 s", "5 min", "2 h 10 min", "a day", "3 days"]));
it("says sizes", () => expect([1_179_648, 4_096].map(bytes)).toEqual(["1.1 MiB", "4 KiB"]));
