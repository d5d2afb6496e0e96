import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { QueryClientProvider } from "@tanstack/react-query";
import { createRootRoute, createRoute, createRouter, Link, Outlet, RouterProvider } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useClientConfig } from "#core/client.ts";
import { useText } from "#core/i18n.ts";
import type { FeaturePages } from "#core/pages.ts";
import { createQueries } from "#core/queries.ts";
import { parseSearch, stringifySearch } from "#core/search.ts";
import { go } from "#core/session/path.ts";
import { accountsPages } from "#features/accounts/accounts.pages.tsx";
import { auditPages } from "#features/audit/audit.pages.tsx";
import { schedulerPages } from "#features/scheduler/scheduler.pages.tsx";
import { settingsPages } from "#features/settings/settings.pages.tsx";
import { systemPages } from "#features/system/system.pages.tsx";
import { FailedPage } from "#ui/refusals.tsx";
import { LanguageSwitch } from "#ui/switches.tsx";
import icon from "#core/icon.svg";
import { loadTokenBanner } from "#features/frame/frame.api.ts";
import classes from "./panel.module.css";

const TokenBanner = lazy(loadTokenBanner);
const features: readonly FeaturePages[] = [settingsPages, accountsPages, auditPages, schedulerPages, systemPages];
const places = features.flatMap(({ navigation }) => navigation.filter(({ alone }) => alone === true));

function createPanelRouter() {
  const root = createRootRoute({ component: Shell, errorComponent: FailedPage, notFoundComponent: UnknownPage });
  const unknown = createRoute({ getParentRoute: () => root, path: "$", component: UnknownPage });
  return createRouter({
    routeTree: root.addChildren([...features.flatMap((feature) => feature.routes(root)), unknown]),
    parseSearch,
    stringifySearch,
    defaultErrorComponent: FailedPage,
    defaultPendingMs: 200,
  });
}

/** The control panel of a config admin who has no character, or has chosen none yet. */
export default function PanelAlone() {
  const [queries] = useState(createQueries);
  const router = useMemo(() => createPanelRouter(), []);
  return (
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}

function Shell() {
  const { t } = useText();
  const client = useClientConfig();
  const name = client?.name ?? "Rollcall";
  useEffect(() => {
    document.title = `${t("auth.toPanel")} · ${name}`;
  }, [t, name]);
  return (
    <div className={classes["shell"]}>
      <header className={classes["head"]}>
        <span className={classes["brand"]}>
          <img src={icon} alt="" />
          {name}
        </span>
        <nav aria-label={t("web.frame.navigation")}>
          {places.map((place) => (
            <Link key={place.to} to={place.to} className={classes["place"]} activeOptions={{ includeSearch: false }}>
              <place.icon size={16} stroke={1.7} />
              {t(place.label)}
            </Link>
          ))}
        </nav>
        <div className={classes["end"]}>
          <LanguageSwitch />
          <Button variant="subtle" color="gray" leftSection={<IconArrowLeft size={16} />} onClick={() => go("/")}>
            {t("auth.toCharacters")}
          </Button>
        </div>
      </header>
      <Suspense fallback={null}>
        <TokenBanner />
      </Suspense>
      <main className={classes["page"]}>
        <Outlet />
      </main>
    </div>
  );
}

/** A page that needs a character: shows the choice of one first. */
function UnknownPage() {
  const { t } = useText();
  return (
    <div className={classes["nowhere"]}>
      <p>{t("auth.panelNeedsCharacter")}</p>
      <Button onClick={() => go("/")}>{t("auth.toCharacters")}</Button>
    </div>
  );
}
