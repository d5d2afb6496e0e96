import type { FeaturePages } from "#core/pages.ts";

export const systemPages: FeaturePages = {
  routes: () => [],
  navigation: [],
};
