/** As many as there can be on the page, and some that closed by themselves. */
const MOST = 20;

/** Closes the toast of a notification when a newer one takes its place. */
export function createShown() {
  const toasts = new Map<number, () => void>();
  return {
    add(id: number, close: () => void) {
      toasts.set(id, close);
      const [oldest] = toasts.keys();
      if (toasts.size > MOST && oldest !== undefined) toasts.delete(oldest);
    },
    close(id: number) {
      toasts.get(id)?.();
      toasts.delete(id);
    },
  };
}
