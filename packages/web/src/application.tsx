import { useEffect, useMemo, useRef, useState } from "react";
import { createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from "@tanstack/react-router";
import { QueryClientProvider, type QueryClient } from "@tanstack/react-query";
import { useActiveIdentity } from "#core/abilities.ts";
import { JobsProvider } from "#core/jobs.tsx";
import { navigationOf } from "#core/pages.ts";
import { createQueries } from "#core/queries.ts";
import { parseSearch, stringifySearch } from "#core/search.ts";
import { RealtimeProvider } from "#core/realtime/live.tsx";
import { Frame } from "#features/frame/frame.tsx";
import { FailedPage, NotFoundPage } from "#ui/refusals.tsx";
import { features } from "./features.ts";

const navigation = navigationOf(features);
const jumps = features.flatMap((feature) => feature.jumps ?? []);

function createApplicationRouter() {
  const root = createRootRoute({
    component: () => (
      <Frame navigation={navigation} jumps={jumps}>
        <Outlet />
      </Frame>
    ),
    notFoundComponent: NotFoundPage,
    errorComponent: FailedPage,
  });
  const unknown = createRoute({ getParentRoute: () => root, path: "$", component: NotFoundPage });
  return createRouter({
    routeTree: root.addChildren([...features.flatMap((feature) => feature.routes(root)), unknown]),
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    defaultPendingMs: 200,
    defaultErrorComponent: FailedPage,
    defaultNotFoundComponent: NotFoundPage,
  });
}

/** The application of one character. Each character gets a new instance, so that no state leaks into another. */
export default function Application() {
  const [queries] = useState(createQueries);
  useResetOnNewRights(queries);
  const router = useMemo(() => createApplicationRouter(), []);
  return (
    <QueryClientProvider client={queries}>
      <RealtimeProvider>
        <JobsProvider>
          <RouterProvider router={router} />
        </JobsProvider>
      </RealtimeProvider>
    </QueryClientProvider>
  );
}

/** Data that was read with other rights may be more than the viewer may see now: it is discarded and read again. */
function useResetOnNewRights(queries: QueryClient): void {
  const { rights: held, account, jobAdmin, seeAs } = useActiveIdentity();
  const rights = JSON.stringify([held, account.configAdmin, account.mayJobAdmin, jobAdmin?.job, seeAs?.grade]);
  const before = useRef(rights);
  useEffect(() => {
    if (before.current === rights) return;
    before.current = rights;
    void queries.resetQueries();
  }, [queries, rights]);
}
