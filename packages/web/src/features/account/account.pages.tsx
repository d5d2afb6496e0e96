import type { FeaturePages } from "#core/pages.ts";

export const accountPages: FeaturePages = {
  routes: () => [],
  navigation: [],
};
