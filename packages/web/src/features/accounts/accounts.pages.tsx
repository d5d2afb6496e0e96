import type { FeaturePages } from "#core/pages.ts";

export const accountsPages: FeaturePages = {
  routes: () => [],
  navigation: [],
};
