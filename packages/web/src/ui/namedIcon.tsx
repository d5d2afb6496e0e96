import { useCallback, useEffect, useSyncExternalStore, type ReactNode } from "react";
import { icons, type Drawing } from "#core/icons.ts";

const SVG = "http://www.w3.org/2000/svg";

/** Parses a drawing as XML; a malformed one is dropped as a whole. */
function partsOf(body: string): Node[] {
  const text = `<svg xmlns="${SVG}" xmlns:xlink="http://www.w3.org/1999/xlink">${body}</svg>`;
  const { documentElement } = new DOMParser().parseFromString(text, "image/svg+xml");
  return documentElement.nodeName === "svg" ? [...documentElement.childNodes] : [];
}

function Drawn({ drawing, size }: { drawing: Drawing; size: number }) {
  const { body } = drawing;
  const draw = useCallback((group: SVGGElement | null) => group?.replaceChildren(...partsOf(body)), [body]);
  return (
    <svg width={size} height={size} viewBox={drawing.viewBox} aria-hidden focusable="false">
      <g ref={draw} transform={drawing.transform} />
    </svg>
  );
}

/** An icon of a set, `<set>:<icon>`, in the colour of the text; `otherwise` while it loads and where there is none. */
export default function NamedIcon({ name, size = 18, otherwise = null }: { name: string; size?: number; otherwise?: ReactNode }) {
  useEffect(() => icons.want(name), [name]);
  const drawing = useSyncExternalStore(icons.subscribe, () => icons.get(name));
  return drawing ? <Drawn drawing={drawing} size={size} /> : otherwise;
}
