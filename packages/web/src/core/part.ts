import { createElement, useEffect, useState, type ComponentType, type FunctionComponent } from "react";
import { withTexts } from "#core/i18n.ts";
import { Problem } from "#core/problem.ts";
import { createStore, useStore } from "#core/store.ts";

/** A component that is loaded when it is first shown. */
export type Part<P> = FunctionComponent<P> & {
  /** Loads it before it is shown; settles also when that fails, and the next attempt loads again. */
  load(): Promise<void>;
};

/**
 * A part of a page in a chunk of its own, loaded together with the texts that it shows; until then it shows nothing,
 * or `Meanwhile`. Unlike below a Suspense boundary, where React keeps what arrives back for up to 300 ms after it showed
 * a fallback, it is shown as soon as it is there.
 */
export function part<P extends object>(
  texts: readonly string[],
  load: () => Promise<{ readonly default: ComponentType<P> }>,
  Meanwhile?: ComponentType<P>,
): Part<P> {
  const loaded = createStore<ComponentType<P> | null>(null);
  const loadAll = withTexts(texts, load);
  let loading: Promise<void> | null = null;
  const start = async () => {
    loading ??= loadAll().then((module) => loaded.set(module.default));
    try {
      await loading;
    } catch (error) {
      loading = null;
      throw new Problem("web.offline", 0, {}, error);
    }
  };

  function LoadedPart(props: P) {
    const Shown = useStore(loaded);
    const [failed, setFailed] = useState<{ readonly error: unknown } | null>(null);
    useEffect(() => {
      start().catch((error: unknown) => setFailed({ error }));
    }, []);
    if (failed && !Shown) throw failed.error;
    if (Shown) return createElement(Shown, props);
    return Meanwhile ? createElement(Meanwhile, props) : null;
  }
  return Object.assign(LoadedPart, { load: async () => await start().catch(() => undefined) });
}
