import { useEffect, useRef, useState } from "react";
import { createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from "@tanstack/react-router";
import { QueryClientProvider, type QueryClient } from "@tanstack/react-query";
import { useActiveIdentity } from "#core/abilities.ts";
import { JobsProvider } from "#core/jobs.tsx";
import { readWithNewRights } from "#core/newRights.ts";
import { nextTask } from "#core/nextTask.ts";
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

type ApplicationRouter = ReturnType<typeof createApplicationRouter>;

/** The router of the first page, loaded before anything is drawn. */
let prepared: ApplicationRouter | null = null;
/** From then on a router would be that of another character. */
let isShown = false;

/**
 * Loads the components of this address and their texts before the application is rendered: a router that has its page
 * draws it in small steps, while one that waits for it draws it in one. What fails is loaded again when it is shown.
 */
export async function loadPage(): Promise<void> {
  // Not in the task that ran the scripts: each of these steps takes a while on a slow device.
  await nextTask();
  const router = createApplicationRouter();
  await nextTask();
  await router.load();
  if (router.state.matches.every(({ status }) => status === "success")) prepared = router;
}

/** Not one of an address that was left meanwhile, as by a sign-in. */
function takeRouter(): ApplicationRouter {
  const fits = !isShown && prepared?.state.location.pathname === location.pathname;
  return fits && prepared ? prepared : createApplicationRouter();
}

/** An address outside of the application: the table of outer pages decides what it shows. */
function Leave() {
  useEffect(() => go(location.pathname, true), []);
  return null;
}

/** The application of one character. Each character gets a new instance, so that no state leaks into another. */
export default function Application() {
  const [queries] = useState(createQueries);
  useReadOnNewRights(queries);
  const [router] = useState(takeRouter);
  useEffect(() => {
    isShown = true;
    prepared = null;
  }, []);
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

function useReadOnNewRights(queries: QueryClient): void {
  const { rights: held, account, character, jobAdmin, seeAs } = useActiveIdentity();
  const rights = JSON.stringify([
    held,
    character.job.name,
    account.configAdmin,
    account.mayJobAdmin,
    jobAdmin?.job,
    seeAs?.grade,
  ]);
  const before = useRef(rights);
  useEffect(() => {
    if (before.current === rights) return;
    before.current = rights;
    void readWithNewRights(queries);
  }, [queries, rights]);
}
