import { useLayoutEffect, useMemo, useRef, useState } from "react";

type Functions = Readonly<Record<string, (...args: never[]) => unknown>>;

/** The same functions for as long as the component is shown; each calls the one of the last rendering. */
export function useLatest<F extends Functions>(functions: F): F {
  const latest = useRef(functions);
  useLayoutEffect(() => {
    latest.current = functions;
  });
  const [names] = useState(() => Object.keys(functions));
  return useMemo(
    () => Object.fromEntries(names.map((name) => [name, (...args: never[]) => latest.current[name]!(...args)])) as F,
    [names],
  );
}
