import { useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";
import { isNumber, useKept } from "@/lib/keep";
import { cx } from "./cx";

/** How far one press of an arrow key moves a divider, in pixels. */
const STEP_PX = 24;
/** The divider itself, with room for a finger. */
const DIVIDER_PX = 9;

type Axis = "x" | "y";
type Props = {
  /** Under this name the browser keeps the size. */
  name: string;
  /** What the divider divides, for screen readers: "Width of the workspace". */
  label: string;
  /** Which of the two has the size; the other takes the rest. */
  sized: "first" | "second";
  size: number;
  min: number;
  /** Least room that the other pane keeps. */
  minRest: number;
  axis?: Axis;
  first: ReactNode;
  second: ReactNode;
  /** Hides the sized pane; it keeps its state. */
  collapsed?: boolean;
  onCollapse?: () => void;
  className?: string;
};

/** Two panes with a divider that a mouse, a finger and the keyboard move. Enter on the divider collapses. */
export function Split(props: Props) {
  const { name, label, sized, min, minRest, axis = "x", first, second, collapsed, onCollapse, className } = props;
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useKept(`pane:${name}`, props.size, isNumber);

  const extent = () => (axis === "x" ? box.current?.clientWidth : box.current?.clientHeight) ?? 0;
  const most = () => Math.max(min, extent() - minRest - DIVIDER_PX);
  const clamp = (px: number) => Math.round(Math.min(Math.max(px, min), most()));
  const show = (px: number) => box.current?.style.setProperty("--size", `${px}px`);

  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    const divider = event.currentTarget;
    divider.setPointerCapture(event.pointerId);
    const from = axis === "x" ? event.clientX : event.clientY;
    const was = clamp(size);
    let now = was;
    const move = (to: globalThis.PointerEvent) => {
      const by = (axis === "x" ? to.clientX : to.clientY) - from;
      now = clamp(was + (sized === "first" ? by : -by));
      show(now);
    };
    const end = () => {
      divider.removeEventListener("pointermove", move);
      divider.removeEventListener("pointerup", end);
      divider.removeEventListener("pointercancel", end);
      setSize(now);
    };
    divider.addEventListener("pointermove", move);
    divider.addEventListener("pointerup", end);
    divider.addEventListener("pointercancel", end);
  };

  const press = (event: KeyboardEvent) => {
    const grow = axis === "x" ? ["ArrowRight", "ArrowLeft"] : ["ArrowDown", "ArrowUp"];
    const sign = sized === "first" ? 1 : -1;
    const current = clamp(size);
    const next =
      event.key === grow[0] ? current + sign * STEP_PX
      : event.key === grow[1] ? current - sign * STEP_PX
      : event.key === "Home" ? min
      : event.key === "End" ? most()
      : null;
    if (event.key === "Enter" && onCollapse) onCollapse();
    else if (next !== null) setSize(clamp(next));
    else return;
    event.preventDefault();
  };

  const track = collapsed ? "0px" : `clamp(${min}px, var(--size), calc(100% - ${minRest + DIVIDER_PX}px))`;
  const rest = "minmax(0, 1fr)";
  const divider = collapsed ? "0px" : `${DIVIDER_PX}px`;
  const tracks = sized === "first" ? `${track} ${divider} ${rest}` : `${rest} ${divider} ${track}`;
  const hiddenPane = (mine: boolean) => (mine && collapsed ? { hidden: true } : {});

  return (
    <div
      ref={box}
      className={cx("grid min-h-0 min-w-0", className)}
      style={{ ["--size" as string]: `${size}px`, [axis === "x" ? "gridTemplateColumns" : "gridTemplateRows"]: tracks }}
    >
      <div className="grid min-h-0 min-w-0 overflow-clip" {...hiddenPane(sized === "first")}>
        {first}
      </div>
      <div
        role="separator"
        tabIndex={collapsed ? -1 : 0}
        hidden={collapsed}
        aria-label={label}
        aria-orientation={axis === "x" ? "vertical" : "horizontal"}
        aria-valuenow={size}
        aria-valuemin={min}
        aria-valuemax={9999}
        onPointerDown={drag}
        onKeyDown={press}
        onDoubleClick={() => setSize(props.size)}
        className={cx(
          "group relative touch-none focus-visible:outline-none",
          axis === "x" ? "cursor-col-resize" : "cursor-row-resize",
          "after:absolute after:bg-line after:transition-colors hover:after:bg-accent focus-visible:after:bg-accent",
          axis === "x"
            ? "after:inset-y-0 after:left-1/2 after:w-px hover:after:w-0.5 focus-visible:after:w-1"
            : "after:inset-x-0 after:top-1/2 after:h-px hover:after:h-0.5 focus-visible:after:h-1",
        )}
      />
      <div className="grid min-h-0 min-w-0 overflow-clip" {...hiddenPane(sized === "second")}>
        {second}
      </div>
    </div>
  );
}
