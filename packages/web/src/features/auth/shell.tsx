import { useEffect, type ReactNode } from "react";
import { useClientConfig } from "#core/client.ts";
import { useText } from "#core/i18n.ts";
import { go } from "#core/session/path.ts";
import { setTitle } from "#core/title.ts";
import { LanguageSwitch } from "#ui/switches.tsx";
import icon from "#core/icon.svg";
import classes from "./auth.module.css";

/** A page before the sign-in: one box, and a link back. */
export function SignedOutPage(props: { title: string; children: ReactNode }) {
  const { t } = useText();
  const name = useClientConfig()?.name ?? "Rollcall";
  useEffect(() => {
    setTitle(`${props.title} · ${name}`);
  }, [props.title, name]);
  return (
    <main className={classes["page"]}>
      <div className={classes["box"]}>
        <div className={classes["brand"]}>
          <img src={icon} alt="" />
          <div>
            <h1>{props.title}</h1>
            <p>{name}</p>
          </div>
        </div>
        <div className={classes["panel"]}>{props.children}</div>
        <div className={classes["foot"]}>
          <LanguageSwitch />
          <a
            href="/"
            className={classes["back"]}
            onClick={(event) => {
              event.preventDefault();
              go("/");
            }}
          >
            {t("auth.backToLogin")}
          </a>
        </div>
      </div>
    </main>
  );
}
