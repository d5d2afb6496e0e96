import { readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";

/** The folder of the shipped icon sets. */
export const shippedIcons = path.resolve(import.meta.dirname, "../../../icons");

type Icons = Readonly<Record<string, { readonly body: string }>>;

export function shippedSet(): { readonly prefix: string; readonly icons: Icons } {
  return JSON.parse(readFileSync(path.join(shippedIcons, "tabler.json"), "utf8")) as { prefix: string; icons: Icons };
}

/** Serves the shipped icons to a page, regardless of its server's icons. */
export async function offerIcons(page: Page): Promise<void> {
  const set = shippedSet();
  const json = (body: unknown) => ({ status: 200, contentType: "application/json", body: JSON.stringify(body) });
  await page.route("**/api/icons/search?*", async (route) => {
    const names = Object.keys(set.icons).map((name) => `tabler:${name}`);
    await route.fulfill(json({ icons: names.slice(0, 96), total: names.length }));
  });
  await page.route("**/api/icons/tabler.json?*", async (route) => await route.fulfill(json(set)));
}
