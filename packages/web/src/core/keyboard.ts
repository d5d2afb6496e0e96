import { useEffect, useEffectEvent } from "react";
import { systemClock, type Clock } from "#core/clock.ts";
import { preferences } from "#core/preferences.ts";
import { createStore, useStore } from "#core/store.ts";

/** A shortcut: `keys` as `?`, `g c` (one after the other) or `Ctrl+K`; `label` is a text key. */
export interface Shortcut {
  readonly keys: string;
  readonly label: string;
  readonly group: "anywhere" | "page" | "goto";
  /** Acts before others with the same keys: a selection is cleared before the detail beside it closes. */
  readonly before?: boolean;
  /** Left out for keys that only the help names, because a control handles them itself. */
  run?(): void;
}

export interface KeyStroke {
  readonly key: string;
  readonly ctrl: boolean;
  /** The focus is in a text field. */
  readonly typing: boolean;
}

/** Longest time between the two keys of a pair. Milliseconds. */
const PAIR = 1_200;

/** Finds the shortcut for a key, remembering the first key of a pair. */
export function createMatcher(clock: Clock, singleKeys: () => boolean) {
  let first: { key: string; until: number } | null = null;
  return (stroke: KeyStroke, registeredNow: readonly Shortcut[]): Shortcut | null => {
    const shortcuts = registeredNow.filter(({ run }) => run);
    if (stroke.ctrl) return shortcuts.find(({ keys }) => keys.toLowerCase() === `ctrl+${stroke.key.toLowerCase()}`) ?? null;
    if (stroke.typing || !singleKeys()) return null;
    const opened = first && first.until >= clock.now() ? first.key : null;
    first = null;
    const wanted = opened ? `${opened} ${stroke.key}` : stroke.key;
    const fitting = shortcuts.filter(({ keys }) => keys === wanted);
    const found = fitting.findLast(({ before }) => before) ?? fitting.at(-1);
    if (found) return found;
    if (!opened && shortcuts.some(({ keys }) => keys.startsWith(`${stroke.key} `))) {
      first = { key: stroke.key, until: clock.now() + PAIR };
    }
    return null;
  };
}

const registered = createStore<readonly Shortcut[]>([]);

/** Registers shortcuts while the component is shown; the latest registration wins. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const signature = JSON.stringify(shortcuts.map(({ keys, label, group, before, run }) => [keys, label, group, !!before, !!run]));
  const runNow = useEffectEvent((index: number) => shortcuts[index]?.run?.());
  useEffect(() => {
    const entries = JSON.parse(signature) as [string, string, Shortcut["group"], boolean, boolean][];
    const mine = entries.map(([keys, label, group, before, runs], index): Shortcut => {
      return { keys, label, group, before, ...(runs ? { run: () => runNow(index) } : {}) };
    });
    registered.set([...registered.get(), ...mine]);
    return () => registered.set(registered.get().filter((one) => !mine.includes(one)));
  }, [signature]);
}

export function useRegisteredShortcuts(): readonly Shortcut[] {
  return useStore(registered);
}

let typedAhead: string | null = null;

/** Collects typed letters for a field that is about to appear, until it takes them. */
export function collectTyping(): void {
  typedAhead = "";
}

export function takeTyped(): string {
  const typed = typedAhead ?? "";
  typedAhead = null;
  return typed;
}

/** Listens on the whole page; used once, by the frame. */
export function useKeyboard(): void {
  useEffect(() => {
    const match = createMatcher(systemClock, () => preferences.get().singleKeys);
    const listen = (event: KeyboardEvent) => {
      if (event.altKey || event.isComposing) return;
      if (typedAhead !== null && event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
        typedAhead += event.key;
        event.preventDefault();
        return;
      }
      const stroke = { key: event.key, ctrl: event.ctrlKey || event.metaKey, typing: isField(event.target) };
      if (!stroke.ctrl && document.querySelector('[role="dialog"]')) return;
      const found = match(stroke, registered.get());
      if (!found) return;
      event.preventDefault();
      found.run?.();
    };
    // Capture, to run before a dialog closes on Escape: afterwards the key would act on the page.
    addEventListener("keydown", listen, { capture: true });
    return () => removeEventListener("keydown", listen, { capture: true });
  }, []);
}

function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
