/** Whether an address is this page, or something below it. */
export function isBelow(path: string, page: string): boolean {
  return path === page || (page !== "/" && path.startsWith(page.endsWith("/") ? page : `${page}/`));
}

/** The entry of the page at an address: the longest that fits, because pages lie below others. */
export function pageAt<Page extends { readonly to: string }>(pages: readonly Page[], path: string): Page | undefined {
  return pages.filter(({ to }) => isBelow(path, to)).toSorted((a, b) => b.to.length - a.to.length)[0];
}
