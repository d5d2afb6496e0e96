import { createDrag } from "#ui/drag.ts";

/** Somebody who is dragged; `own`: the viewer. */
export interface DraggedPerson {
  readonly id: number;
  readonly name: string;
  readonly own: boolean;
}

const drag = createDrag<DraggedPerson>({ effect: "move" });

export const dragSource = (person: DraggedPerson) => drag.dragSource(person, person.name);

export const dropTarget = (setOver: (over: boolean) => void, onDrop: (person: DraggedPerson) => void) =>
  drag.dropTarget(() => true, setOver, onDrop);
