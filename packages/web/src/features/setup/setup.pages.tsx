import type { FeaturePages } from "#core/pages.ts";

export const setupPages: FeaturePages = {
  routes: () => [],
  navigation: [],
};
