import type { Page } from "playwright-core";

type Colour = readonly [red: number, green: number, blue: number, alpha: number];
type Box = Pick<DOMRect, "left" | "right" | "top" | "bottom" | "width" | "height">;

interface Background {
  /** What is seen behind the content; null where that is not one colour. */
  readonly colour: Colour | null;
  /** Elements whose colour that is, the lowest last; without the page itself, which has no end. */
  readonly painters: readonly Element[];
  /** Nothing changes the colours of the element and its content together. */
  readonly plain: boolean;
}

/** Runs in the page, so it refers to nothing outside of itself. */
class Colours {
  /** Above what the rule asks, as axe rounds in its own way. */
  readonly #needed = { small: 4.55, large: 3.05 };
  readonly #skipped: string;
  readonly #known = new Map<Element, Background>();
  readonly #placed: readonly { readonly element: Element; readonly box: Box }[];

  constructor(skipped: string) {
    this.#skipped = `script, style, noscript, .rc-hidden, [inert], :disabled, [aria-disabled=true], ${skipped}`;
    this.#placed = this.#findPlaced();
  }

  /** Texts, values of fields and links that are not plainly right. */
  doubtful(): Element[] {
    const found = new Set<Element>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (walker.nextNode()) {
      const { currentNode } = walker;
      const element = currentNode.parentElement;
      if (!element || (currentNode.textContent ?? "").trim() === "" || found.has(element)) continue;
      range.selectNodeContents(currentNode);
      const box = range.getBoundingClientRect();
      if (this.#counts(element, box) && !this.#isClear(element, box)) found.add(element);
    }
    const fields = "input:not([type=checkbox], [type=radio], [type=range], [type=color]), select, textarea";
    for (const field of document.querySelectorAll(fields)) {
      const box = field.getBoundingClientRect();
      if (this.#counts(field, box) && !this.#isClear(field, box)) found.add(field);
    }
    for (const link of document.querySelectorAll("a[href], [role=link]"))
      if (this.#counts(link, link.getBoundingClientRect()) && this.#isToldByColour(link)) found.add(link);
    return [...found];
  }

  #counts(element: Element, box: Box): boolean {
    const isSeen = box.width > 0 && box.height > 0 && element.checkVisibility({ visibilityProperty: true });
    return isSeen && element.closest(this.#skipped) === null;
  }

  #isClear(element: Element, box: Box): boolean {
    const { color, textShadow, webkitTextFillColor, fontSize, fontWeight } = getComputedStyle(element);
    const { colour, plain } = this.#background(element);
    const own = this.#parse(color);
    if (!own || !colour || !plain || textShadow !== "none" || webkitTextFillColor !== color) return false;
    const size = Number.parseFloat(fontSize);
    const isLarge = size >= 24 || (size >= 18.7 && Number(fontWeight) >= 700);
    if (this.#contrast(this.#over(own, colour), colour) < this.#needed[isLarge ? "large" : "small"]) return false;
    return this.#isInside(element, box) && this.#isUndisturbed(element, box);
  }

  /** A link among other words that only its colour tells from them. */
  #isToldByColour(link: Element): boolean {
    const { display, textDecorationLine } = getComputedStyle(link);
    if (display !== "inline" || textDecorationLine.includes("underline")) return false;
    let block = link.parentElement;
    while (block && getComputedStyle(block).display === "inline") block = block.parentElement;
    return (block?.textContent ?? "").trim() !== (link.textContent ?? "").trim();
  }

  #background(element: Element): Background {
    const before = this.#known.get(element);
    if (before) return before;
    const style = getComputedStyle(element);
    const around = element.parentElement && this.#background(element.parentElement);
    const parent: Background = around ?? { colour: null, painters: [], plain: true };
    const own = style.backgroundImage === "none" ? this.#parse(style.backgroundColor) : null;
    const isOpaque = own?.[3] === 1;
    const below = isOpaque ? own : parent.colour;
    const paints = own?.[3] !== 0 && element !== document.body;
    const effects = [style.filter, style.backdropFilter, style.clipPath, style.maskImage];
    const result: Background = {
      colour: own && below && this.#over(own, below),
      painters: paints ? [element, ...(isOpaque ? [] : parent.painters)] : parent.painters,
      plain:
        parent.plain && style.opacity === "1" && style.mixBlendMode === "normal" && effects.every((value) => value === "none"),
    };
    this.#known.set(element, result);
    return result;
  }

  /** Elements that may be painted over or under others that do not contain them. */
  #findPlaced(): { element: Element; box: Box }[] {
    return [...document.querySelectorAll("body *")].flatMap((element) => {
      const { position, transform, backgroundColor, backgroundImage } = getComputedStyle(element);
      if (position === "static" && transform === "none") return [];
      const isPicture = backgroundImage !== "none" || element.matches("img, canvas, video");
      if (this.#parse(backgroundColor)?.[3] === 0 && !isPicture) return [];
      const box = element.getBoundingClientRect();
      return box.width > 0 && box.height > 0 ? [{ element, box }] : [];
    });
  }

  /**
   * Whether what is placed over or under a text leaves the colours that are seen alone: it lies over the text, as a dialog
   * does, and hides it there; or it lies under what the text stands on.
   */
  #isUndisturbed(element: Element, box: Box): boolean {
    const near = this.#placed.filter(
      (one) => this.#meets(one.box, box) && !one.element.contains(element) && !element.contains(one.element),
    );
    if (near.length === 0) return true;
    const ground = this.#background(element).painters.at(-1);
    const hasGround =
      ground !== undefined &&
      this.#parse(getComputedStyle(ground).backgroundColor)?.[3] === 1 &&
      this.#contains(ground.getBoundingClientRect(), box);
    return near.every((one) => {
      const x = (Math.max(box.left, one.box.left) + Math.min(box.right, one.box.right)) / 2;
      const y = (Math.max(box.top, one.box.top) + Math.min(box.bottom, one.box.bottom)) / 2;
      const stack = document.elementsFromPoint(x, y);
      const [text, other] = [stack.indexOf(element), stack.indexOf(one.element)];
      if (text === -1 || other === -1) return false;
      return other < text || (hasGround && stack.includes(ground) && other > stack.indexOf(ground));
    });
  }

  /** What gives the text its background reaches as far as the text, or cuts it off. */
  #isInside(element: Element, box: Box): boolean {
    return this.#background(element).painters.every(
      (painter) => getComputedStyle(painter).overflowX !== "visible" || this.#contains(painter.getBoundingClientRect(), box, 1),
    );
  }

  #meets(one: Box, other: Box): boolean {
    const across = one.left < other.right - 1 && one.right > other.left + 1;
    return across && one.top < other.bottom - 1 && one.bottom > other.top + 1;
  }

  #contains(outer: Box, inner: Box, more = 0): boolean {
    const across = outer.left - more <= inner.left && outer.right + more >= inner.right;
    return across && outer.top - more <= inner.top && outer.bottom + more >= inner.bottom;
  }

  #parse(text: string): Colour | null {
    const [, kind, inside = ""] = /^(rgba?|color)\((.+)\)$/.exec(text) ?? [];
    const numbers = (inside.match(/[\d.]+(?:e-?\d+)?/g) ?? []).map(Number);
    if (kind === undefined || numbers.length < 3 || (kind === "color" && !inside.startsWith("srgb "))) return null;
    const scale = kind === "color" ? 255 : 1;
    const [red = 0, green = 0, blue = 0, alpha = 1] = numbers;
    return [red * scale, green * scale, blue * scale, alpha];
  }

  #over([red, green, blue, alpha]: Colour, below: Colour): Colour {
    const mix = (above: number, under: number) => above * alpha + under * (1 - alpha);
    return [mix(red, below[0]), mix(green, below[1]), mix(blue, below[2]), 1];
  }

  /** As WCAG 2 defines it. */
  #contrast(one: Colour, other: Colour): number {
    const part = (value: number) => (value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    const luminance = ([red, green, blue]: Colour) => 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue);
    const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
    return (lighter + 0.05) / (darker + 0.05);
  }
}

/**
 * Finds the texts and links whose colours axe must look at, and keeps them in the page as `doubtful`; how many there are.
 * Leaves out what `skipped` selects.
 *
 * axe builds a model of the whole page for each run, which took most of the time of a page's check. This reads the colour of
 * each text and of what lies behind it, and clears the text only where its background is plain: nothing transparent, no
 * picture, and nothing placed over or under it. Everything else is left to axe, also what seems to be a fault.
 */
export async function doubts(page: Page, skipped: string): Promise<number> {
  const find = `new (${Colours.toString()})(${JSON.stringify(skipped)}).doubtful()`;
  return await page.evaluate<number>(`(globalThis.doubtful = ${find}).length`);
}
