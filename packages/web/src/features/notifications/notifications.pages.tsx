import type { FeaturePages } from "#core/pages.ts";

export const notificationsPages: FeaturePages = {
  routes: () => [],
  navigation: [],
};
