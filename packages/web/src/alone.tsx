import { useMemo, useState } from "react";
import { QueryClientProvider } from "@tanstack/react-query";
import { createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from "@tanstack/react-router";
import { declaredBy, type FeaturePages } from "#core/pages.ts";
import { createQueries } from "#core/queries.ts";
import { parseSearch, stringifySearch } from "#core/search.ts";
import { useSession } from "#core/services.ts";
import { CharacterNeeded, Shell } from "#features/panel/panel.tsx";
import { FailedPage } from "#ui/refusals.tsx";
import { features } from "./features.ts";

function createAloneRouter(isAdmin: boolean) {
  const open = features.filter(({ alone }) => alone === "account" || (alone === "config" && isAdmin));
  const isAlone = ({ aloneAt }: FeaturePages, path: string | undefined) =>
    aloneAt === undefined || (path !== undefined && aloneAt.includes(path));
  const places = open.flatMap((feature) => declaredBy([feature]).navigation.filter(({ to }) => isAlone(feature, to)));
  const banners = declaredBy(features).banners.filter(({ alone, admins }) => alone && (isAdmin || admins === undefined));
  const root = createRootRoute({
    component: () => (
      <Shell places={places} banners={banners}>
        <Outlet />
      </Shell>
    ),
    errorComponent: FailedPage,
    notFoundComponent: CharacterNeeded,
  });
  const routesOf = (feature: FeaturePages) =>
    feature.routes(root).filter(({ options }) => isAlone(feature, "path" in options ? options.path : undefined));
  const unknown = createRoute({ getParentRoute: () => root, path: "$", component: CharacterNeeded });
  return createRouter({
    routeTree: root.addChildren([...open.flatMap(routesOf), unknown]),
    parseSearch,
    stringifySearch,
    defaultErrorComponent: FailedPage,
    defaultPendingMs: 200,
  });
}

/** The pages that need no character: the own account, and the control panel of a config admin. */
export default function Alone() {
  const state = useSession();
  const isAdmin = state.phase === "choosing" && state.account.configAdmin;
  const [queries] = useState(createQueries);
  const router = useMemo(() => createAloneRouter(isAdmin), [isAdmin]);
  return (
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}
