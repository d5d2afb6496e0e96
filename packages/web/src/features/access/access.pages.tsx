import type { FeaturePages } from "#core/pages.ts";

export const accessPages: FeaturePages = {
  routes: () => [],
  navigation: [],
};
