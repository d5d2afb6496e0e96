import type { FeaturePages } from "#core/pages.ts";

export const jobsPages: FeaturePages = {
  routes: () => [],
  navigation: [],
};
