import { lazy, Suspense, type ComponentProps } from "react";
import { Skeleton } from "@/ui";

const Compare = lazy(() => import("./compare"));

/** Two texts with their differences marked; what compares them comes when it is first needed. */
export function Differences(props: ComponentProps<typeof Compare>) {
  return (
    <Suspense fallback={<Skeleton lines={2} />}>
      <Compare {...props} />
    </Suspense>
  );
}
