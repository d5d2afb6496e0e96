import type { DragEvent } from "react";

interface DragOptions {
  readonly effect: "link" | "move";
}

/** Dragging one kind of thing within the page. Made once for all sources and targets that belong together. */
export function createDrag<T>({ effect }: DragOptions) {
  /** Only one is dragged at a time, and what a browser keeps of a drag is hidden until it is dropped. */
  let dragged: T | null = null;
  return {
    /** Properties of an element that is dragged; `label` is what other programs get of it. */
    dragSource(what: T, label: string) {
      return {
        draggable: true,
        onDragStart({ dataTransfer }: DragEvent) {
          dragged = what;
          dataTransfer.effectAllowed = effect;
          dataTransfer.setData("text/plain", label);
        },
        onDragEnd() {
          dragged = null;
        },
      };
    },
    /** Properties of an element that takes what is dropped, as far as `takes` says so. */
    dropTarget(takes: (what: T) => boolean, setOver: (over: boolean) => void, onDrop: (what: T) => void) {
      return {
        onDragOver(event: DragEvent) {
          if (dragged === null || !takes(dragged)) return;
          event.preventDefault();
          setOver(true);
        },
        onDragLeave: () => setOver(false),
        onDrop(event: DragEvent) {
          setOver(false);
          if (dragged === null || !takes(dragged)) return;
          event.preventDefault();
          onDrop(dragged);
          dragged = null;
        },
      };
    },
  };
}
