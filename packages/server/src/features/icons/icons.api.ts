import { apiToken } from "#core/feature.ts";

export interface IconsApi {
  /**
   * The icon that a text of an operator names, as `<set>:<icon>`. The text has that form or
   * `<set>-<icon>`, also with `i-` before it, or is the name of the icon alone. Null for any other text,
   * for example a URL, and without proxy mode for icons that no set has.
   */
  named(text: string): Promise<string | null>;
}

export const iconsApi = apiToken<IconsApi>("icons");
