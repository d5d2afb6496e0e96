import type { FeaturePages } from "#core/pages.ts";

export const noticesPages: FeaturePages = {
  routes: () => [],
  navigation: [],
};
