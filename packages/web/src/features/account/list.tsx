import { Badge, Button } from "@mantine/core";
import { IconDeviceDesktop, IconDeviceMobile } from "@tabler/icons-react";
import type { OutputOf } from "@rollcall/server/contract/core";
import type { ownSessions } from "@rollcall/server/contract/auth";
import { useText, type Translate } from "#core/i18n.ts";
import { TimeAgo } from "#ui/small.tsx";
import classes from "./account.module.css";

type Session = OutputOf<typeof ownSessions>["sessions"][number];

/** What a session is called: its browser and system. */
export function sessionName(t: Translate, { browser, system }: Pick<Session, "browser" | "system">): string {
  if (browser === "") return t("account.session.unknown");
  return system === "" ? browser : t("account.session.on", { browser, system });
}

/** Signed-in browsers, each with a button that ends it. */
export function SessionList(props: { sessions: readonly Session[]; ending: string | null; onEnd: (session: Session) => void }) {
  const { t } = useText();
  return (
    <ul className={classes["list"]}>
      {props.sessions.map((session) => {
        const mobile = session.system === "Android" || session.system === "iOS";
        const Device = mobile ? IconDeviceMobile : IconDeviceDesktop;
        return (
          <li key={session.id}>
            <Device size={22} stroke={1.5} aria-hidden />
            <div className={classes["what"]}>
              <strong>
                {sessionName(t, session)}
                {session.current && (
                  <Badge variant="default" size="sm" ml={8}>
                    {t("account.session.this")}
                  </Badge>
                )}
              </strong>
              <span>
                {session.address} · {t("account.session.used")} <TimeAgo instant={session.lastSeenAt} /> ·{" "}
                {t("account.session.began")} <TimeAgo instant={session.createdAt} />
              </span>
            </div>
            {!session.current && (
              <Button
                size="compact-sm"
                variant="default"
                loading={props.ending === session.id}
                onClick={() => props.onEnd(session)}
              >
                {t("account.session.end")}
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
