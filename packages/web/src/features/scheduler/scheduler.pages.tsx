import type { FeaturePages } from "#core/pages.ts";

export const schedulerPages: FeaturePages = {
  routes: () => [],
  navigation: [],
};
