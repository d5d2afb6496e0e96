import { createStore, useStore } from "#core/store.ts";

export type ToastTone = "info" | "success" | "warning" | "danger";

/** A short message in the corner that closes by itself. */
export interface Toast {
  readonly id: number;
  readonly tone: ToastTone;
  /** Shown unchanged: text in the viewer's language. */
  readonly title: string;
  readonly text?: string;
  /** A path of the application that the toast leads to. */
  readonly link?: string;
  /** An action that the toast offers, for example undo. */
  readonly action?: { readonly label: string; run(): void };
  /** How long it stays without the pointer on it, in milliseconds. */
  readonly shownFor?: number;
}

/** More would cover the page. */
const MOST = 4;

const toasts = createStore<readonly Toast[]>([]);
let last = 0;

/** Shows a toast; the returned function closes it. */
export function showToast(toast: Omit<Toast, "id">): () => void {
  last += 1;
  const id = last;
  toasts.set([...toasts.get(), { ...toast, id }].slice(-MOST));
  return () => dropToast(id);
}

export function dropToast(id: number): void {
  if (toasts.get().some((toast) => toast.id === id)) toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

export function useToasts(): readonly Toast[] {
  return useStore(toasts);
}
