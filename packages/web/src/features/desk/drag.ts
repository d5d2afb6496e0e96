import { createDrag } from "#ui/drag.ts";

/** What is dragged on the desk: a unit to a call, or a call to a unit. */
interface Dragged {
  readonly kind: "call" | "unit";
  readonly id: number;
}

const drag = createDrag<Dragged>({ effect: "link" });

export const { dragSource } = drag;

/** Takes the other kind. */
export const dropTarget = (takes: Dragged["kind"], setOver: (over: boolean) => void, onDrop: (id: number) => void) =>
  drag.dropTarget(
    ({ kind }) => kind === takes,
    setOver,
    ({ id }) => onDrop(id),
  );
