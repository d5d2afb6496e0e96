import type { Page } from "playwright-core";

/** Text that each run of the program makes anew; pictures show a fixed text in its place. */
interface Changing {
  readonly selector: string;
  readonly why: string;
}

const changing: readonly Changing[] = [{ selector: "time", why: "Times are of the run." }];

/** Replaces what differs from run to run, and stops what moves. */
export async function steady(page: Page): Promise<void> {
  await page.evaluate(
    (selectors) => {
      for (const element of document.querySelectorAll(selectors.join())) element.textContent = "…";
    },
    changing.map(({ selector }) => selector),
  );
}
