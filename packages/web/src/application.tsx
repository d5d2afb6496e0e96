import { useEffect, useMemo, useRef, useState } from "react";
import { createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from "@tanstack/react-router";
import { QueryClientProvider, type QueryClient } from "@tanstack/react-query";
import { useActiveIdentity } from "#core/abilities.ts";
import { JobsProvider } from "#core/jobs.tsx";
import { createQueries } from "#core/queries.ts";
import { parseSearch, stringifySearch } from "#core/search.ts";
import { RealtimeProvider } from "#core/realtime/live.tsx";
import { DeclaredProvider, declaredBy } from "#core/pages.ts";
import { outerAddresses } from "#core/session/outer.ts";
import { go } from "#core/session/path.ts";
import { Frame } from "#features/frame/frame.tsx";
import { FailedPage, NotFoundPage } from "#ui/refusals.tsx";
import { features } from "./features.ts";

const declared = declaredBy(features);

function createApplicationRouter() {
  const root = createRootRoute({
    component: () => (
      <Frame>
        <Outlet />
      </Frame>
    ),
    notFoundComponent: NotFoundPage,
    errorComponent: FailedPage,
  });
  const unknown = createRoute({ getParentRoute: () => root, path: "$", component: NotFoundPage });
  const outer = outerAddresses.map((path) => createRoute({ getParentRoute: () => root, path, component: Leave }));
  return createRouter({
    routeTree: root.addChildren([...outer, ...features.flatMap((feature) => feature.routes(root)), unknown]),
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    defaultPendingMs: 200,
    defaultErrorComponent: FailedPage,
    defaultNotFoundComponent: NotFoundPage,
  });
}

/** An address outside of the application: the table of outer pages decides what it shows. */
function Leave() {
  useEffect(() => go(location.pathname, true), []);
  return null;
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
          <DeclaredProvider value={declared}>
            <RouterProvider router={router} />
          </DeclaredProvider>
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
