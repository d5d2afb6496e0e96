import { useEffect } from "react";
import { systemClock } from "#core/clock.ts";

/** A page that opens meanwhile names itself: the title is set again this often. Milliseconds. */
const AGAIN = 1_000;

/** Before the title of the window, while it is not null. */
export function useWindowTitle(said: string | null): void {
  useEffect(() => {
    if (said === null) return;
    const before = `${said} · `;
    let cancel = () => {};
    const set = () => {
      if (!document.title.startsWith(before)) document.title = before + document.title;
      cancel = systemClock.after(AGAIN, set);
    };
    set();
    return () => {
      cancel();
      if (document.title.startsWith(before)) document.title = document.title.slice(before.length);
    };
  }, [said]);
}
