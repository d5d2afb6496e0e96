import { Link } from "@tanstack/react-router";
import { ActionIcon } from "@mantine/core";
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from "@tabler/icons-react";
import icon from "#core/icon.svg";
import { useClientConfig } from "#core/client.ts";
import { useHasDraft } from "#core/forms/kept.ts";
import { useText } from "#core/i18n.ts";
import { navigationGroups, type NavigationEntry } from "#core/pages.ts";
import { setPreferences, tablet, usePreferences } from "#core/preferences.ts";
import classes from "./navigation.module.css";

export interface NavigationProps {
  readonly pages: readonly NavigationEntry[];
  /** Shown in a drawer, which closes when a page was chosen. */
  readonly onLeave?: () => void;
}

/** Of a page and one below it that both have an entry, only one is where the viewer is. */
const isExact = ({ to }: NavigationEntry, pages: readonly NavigationEntry[]) =>
  to === "/" || pages.some((other) => other.to.startsWith(`${to}/`));

export function Navigation({ pages, onLeave }: NavigationProps) {
  const { t } = useText();
  const client = useClientConfig();
  const inDrawer = onLeave !== undefined;
  const preferred = usePreferences().navigationCollapsed;
  const collapsed = preferred && !inDrawer;
  const groups = navigationGroups.map((group) => ({ group, entries: pages.filter((page) => page.group === group) }));
  const toggle = t(collapsed ? "web.frame.expand" : "web.frame.collapse");
  const style = [classes["nav"], tablet ? classes["large"] : "", inDrawer ? classes["drawer"] : ""].join(" ");

  return (
    <nav className={style} data-collapsed={collapsed} aria-label={t("web.frame.navigation")}>
      <div className={classes["brand"]}>
        <img src={icon} alt="" />
        {!collapsed && <span>{client?.name ?? "Rollcall"}</span>}
      </div>
      {groups.map(
        ({ group, entries }) =>
          entries.length > 0 && (
            <div key={group}>
              {group !== "home" && <div className={classes["group"]}>{t(`web.groups.${group}`)}</div>}
              <ul className={classes["list"]}>
                {entries.map((entry) => (
                  <li key={entry.to}>
                    <Link
                      to={entry.to}
                      className={classes["item"]}
                      onClick={() => onLeave?.()}
                      activeOptions={{ exact: isExact(entry, pages), includeSearch: false }}
                      {...(collapsed ? { "aria-label": t(entry.label), title: t(entry.label) } : {})}
                    >
                      <entry.icon size={18} stroke={1.7} />
                      {!collapsed && <span className={classes["label"]}>{t(entry.label)}</span>}
                      {entry.badge && <entry.badge />}
                      {entry.drafts !== undefined && <DraftMark form={entry.drafts} />}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ),
      )}
      {!inDrawer && (
        <div className={classes["foot"]}>
          <ActionIcon
            onClick={() => setPreferences({ navigationCollapsed: !preferred })}
            aria-label={toggle}
            title={toggle}
            aria-expanded={!collapsed}
          >
            {collapsed ? <IconLayoutSidebarLeftExpand size={18} /> : <IconLayoutSidebarLeftCollapse size={18} />}
          </ActionIcon>
        </div>
      )}
    </nav>
  );
}

/** Work that was left unfinished on this page. */
function DraftMark({ form }: { form: string }) {
  const { t } = useText();
  if (!useHasDraft(form)) return null;
  const label = t("web.frame.draft");
  return (
    <span className={classes["draft"]} title={label}>
      <span className="rc-hidden">{label}</span>
    </span>
  );
}
