import { useCallback, useSyncExternalStore } from "react";

/** Whether a media query holds, and follows it. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

/** Below this the panes become tabs. Also so at 200 % zoom on a usual screen. */
export const useNarrow = (): boolean => useMedia("(max-width: 899px)");
