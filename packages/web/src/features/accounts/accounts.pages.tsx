import { createRoute } from "@tanstack/react-router";
import { IconUsersGroup } from "@tabler/icons-react";
import { page, type FeaturePages } from "#core/pages.ts";
import { part } from "#core/part.ts";
import { accountsSearch } from "./accounts.search.ts";

export const accountsPages: FeaturePages = {
  alone: "config",
  routes: (parent) => {
    const list = createRoute({
      getParentRoute: () => parent,
      path: "/panel/accounts",
      validateSearch: accountsSearch,
      component: page(["accounts"], () => import("./accounts.tsx")),
    });
    const detail = createRoute({
      getParentRoute: () => list,
      path: "$id",
      component: page(["accounts", "account"], async () => ({ default: (await import("./detail.tsx")).AccountDetailPage })),
    });
    return [list.addChildren([detail])];
  },
  profile: [
    {
      id: "accounts.account",
      position: 95,
      admins: "config",
      section: part(["accounts"], () => import("./ofCharacter.tsx")),
    },
  ],
  navigation: [
    {
      group: "control",
      position: 50,
      to: "/panel/accounts",
      label: "web.places.accounts",
      icon: IconUsersGroup,
      letter: "u",
      admins: "config",
    },
  ],
};
