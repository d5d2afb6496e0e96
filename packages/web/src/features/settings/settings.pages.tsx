import type { FeaturePages } from "#core/pages.ts";

export const settingsPages: FeaturePages = {
  routes: () => [],
  navigation: [],
};
