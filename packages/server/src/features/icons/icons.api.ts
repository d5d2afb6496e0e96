import { apiToken } from "#core/feature.ts";

export interface IconsApi {
  /**
   * The icon that an operator's text names, as `<set>:<icon>`: written like that, as `<set>-<icon>`,
   * with `i-` before it, or as the icon's name alone. Null for anything else, an address among it, and
   * without proxy mode for icons that no set has.
   */
  named(text: string): Promise<string | null>;
}

export const iconsApi = apiToken<IconsApi>("icons");
