import { IconMapPin } from "@tabler/icons-react";
import type { FeaturePages } from "#core/pages.ts";

export const postalsPages: FeaturePages = {
  routes: () => [],
  navigation: [],
  jumps: [{ kind: "postals", label: "postals.name", icon: IconMapPin }],
};
