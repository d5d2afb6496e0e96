import type { FeaturePages } from "#core/pages.ts";

export const auditPages: FeaturePages = {
  routes: () => [],
  navigation: [],
};
