import { useCallback, useEffect, useRef, useState, type ReactNode } from "react";

/** What an action of a list did; `count` distinguishes two equal texts. */
export interface Announcement {
  readonly text: string;
  readonly count: number;
}

/** What `ActionList` reads out: `announce` takes a sentence in the viewer's language. */
export function useAnnouncement(): { announcement: Announcement; announce: (text: string) => void } {
  const [announcement, setAnnouncement] = useState<Announcement>({ text: "", count: 0 });
  const announce = useCallback((text: string) => setAnnouncement(({ count }) => ({ text, count: count + 1 })), []);
  return { announcement, announce };
}

const CONTROLS =
  "a[href], button:not(:disabled), input:not(:disabled):not([hidden]), select:not(:disabled), textarea:not(:disabled), [tabindex='0']";
const ROW = "li";

/** Where the focus was: a control, its row, and the position of the row, or -1 outside of rows. */
interface Place {
  readonly element: HTMLElement;
  readonly row: HTMLElement | null;
  index: number;
}

function placeOf(list: Element, element: HTMLElement): Place {
  const row = element.closest<HTMLElement>(ROW);
  return { element, row, index: row === null ? -1 : [...list.querySelectorAll<HTMLElement>(ROW)].indexOf(row) };
}

/** What is focused in place of a control that is gone: in its row, else the row that took its place, else the list. */
function nextTo({ row, index }: Place, list: HTMLElement): HTMLElement {
  const rows = [...list.querySelectorAll<HTMLElement>(ROW)];
  const next = row?.isConnected ? row : index < 0 ? undefined : rows[Math.min(index, rows.length - 1)];
  if (next === undefined) return list;
  const control = next.querySelector<HTMLElement>(CONTROLS);
  if (control) return control;
  next.tabIndex = -1;
  return next;
}

const isDisabled = (element: HTMLElement) => element.matches(":disabled");
const isNothingFocused = () => document.activeElement === null || document.activeElement === document.body;

/** Keeps the focus in a list while its actions disable or remove the control or the row that had it. */
function useKeptFocus() {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    let last: Place | null = null;
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement) last = placeOf(element, target);
    };
    const onBlur = ({ target, relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Node) {
        if (!element.contains(relatedTarget)) last = null;
        return;
      }
      // A control that is being removed may still be in the page during its blur.
      queueMicrotask(() => {
        const left = target instanceof HTMLElement && target.isConnected && !isDisabled(target);
        if (left && isNothingFocused()) last = null;
      });
    };
    const observer = new MutationObserver(() => {
      if (last === null) return;
      const present = last.element.isConnected;
      if (present) last = placeOf(element, last.element);
      if (!isNothingFocused() || (present && isDisabled(last.element))) return;
      (present ? last.element : nextTo(last, element)).focus({ preventScroll: true });
    });
    element.addEventListener("focusin", onFocus);
    element.addEventListener("focusout", onBlur);
    observer.observe(element, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled"] });
    return () => {
      observer.disconnect();
      element.removeEventListener("focusin", onFocus);
      element.removeEventListener("focusout", onBlur);
    };
  }, []);
  return list;
}

interface ActionListProps {
  /** Names the list when none of its controls is left to focus. */
  readonly label: string;
  readonly announcement: Announcement;
  readonly className?: string | undefined;
  /** Rows are `li` elements. */
  readonly children: ReactNode;
}

/**
 * Around a list whose rows have actions: an action that removes what was focused moves the focus to what took its
 * place, and screen readers announce what happened. It stays in the page while the list is empty.
 */
export function ActionList({ label, announcement, className, children }: ActionListProps) {
  const list = useKeptFocus();
  return (
    <div ref={list} role="group" aria-label={label} tabIndex={-1} className={className}>
      {children}
      <div className="rc-hidden" role="status">
        <span key={announcement.count}>{announcement.text}</span>
      </div>
    </div>
  );
}
