import { useLayoutEffect, useRef, useState } from "react";

/**
 * The width of an element in pixels, known before its first paint: what depends on it does not move afterwards. `narrow`
 * tells widths apart that are drawn in one way, so that it is drawn only once.
 */
export function useWidth<E extends HTMLElement>(narrow: (width: number) => boolean) {
  const ref = useRef<E>(null);
  // That of the window until it is measured: on a phone, a list is nearly as wide, and is not drawn twice.
  const [first] = useState(() => innerWidth);
  const [width, setWidth] = useState(first);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => {
      const now = element.offsetWidth;
      // What is not displayed has no width.
      if (now > 0) setWidth((before) => (narrow(before) && narrow(now) ? before : now));
    };
    // An element is no wider than the window: where that was narrow already, nothing is measured, which would lay the
    // page out while it is being drawn.
    if (!narrow(first)) measure();
    // In the next frame, so that what is rendered then does not call the observer again in this one.
    let frame = 0;
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(measure);
    });
    observer.observe(element);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
    };
  }, [narrow, first]);
  return { ref, width };
}
