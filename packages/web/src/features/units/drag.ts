import type { DragEvent } from "react";

/** Somebody who is dragged; `own`: the viewer. */
export interface DraggedPerson {
  readonly id: number;
  readonly name: string;
  readonly own: boolean;
}

/** Only one is dragged at a time, and what a browser keeps of a drag is hidden until it is dropped. */
let dragged: DraggedPerson | null = null;

export function dragSource(person: DraggedPerson) {
  return {
    draggable: true,
    onDragStart({ dataTransfer }: DragEvent) {
      dragged = person;
      dataTransfer.effectAllowed = "move";
      dataTransfer.setData("text/plain", person.name);
    },
    onDragEnd() {
      dragged = null;
    },
  };
}

export function dropTarget(setOver: (over: boolean) => void, onDrop: (person: DraggedPerson) => void) {
  return {
    onDragOver(event: DragEvent) {
      if (dragged === null) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      setOver(false);
      if (dragged === null) return;
      event.preventDefault();
      onDrop(dragged);
      dragged = null;
    },
  };
}
