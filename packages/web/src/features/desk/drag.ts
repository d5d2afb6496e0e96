import type { DragEvent } from "react";

/** What is dragged on the desk: a unit to a call, or a call to a unit. */
export interface Dragged {
  readonly kind: "call" | "unit";
  readonly id: number;
}

/** Only one is dragged at a time, and what a browser keeps of a drag is hidden until it is dropped. */
let dragged: Dragged | null = null;

export function dragSource(what: Dragged, label: string) {
  return {
    draggable: true,
    onDragStart({ dataTransfer }: DragEvent) {
      dragged = what;
      dataTransfer.effectAllowed = "link";
      dataTransfer.setData("text/plain", label);
    },
    onDragEnd() {
      dragged = null;
    },
  };
}

/** Takes the other kind. */
export function dropTarget(takes: Dragged["kind"], setOver: (over: boolean) => void, onDrop: (id: number) => void) {
  return {
    onDragOver(event: DragEvent) {
      if (dragged?.kind !== takes) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      setOver(false);
      if (dragged?.kind !== takes) return;
      event.preventDefault();
      onDrop(dragged.id);
      dragged = null;
    },
  };
}
