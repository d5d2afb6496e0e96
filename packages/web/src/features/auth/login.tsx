import { useEffect } from "react";
import { useText } from "#core/i18n.ts";
import { useClientConfig } from "#core/client.ts";
import { setTitle } from "#core/title.ts";
import { LanguageSwitch } from "#ui/switches.tsx";
import icon from "#core/icon.svg";
import { ProviderButtons } from "#features/oauth/oauth.api.ts";
import { OauthOutcomeNote } from "#features/oauth/oauth.api.ts";
import { LoginForm } from "./form.tsx";
import { LegalLinks } from "./legal.tsx";
import { TokenLinks } from "./links.tsx";
import classes from "./auth.module.css";

export function LoginPage() {
  const { t } = useText();
  const client = useClientConfig();
  const name = client?.name ?? "Rollcall";

  useEffect(() => {
    setTitle(t("auth.login.documentTitle", { name }));
  }, [t, name]);

  return (
    <main className={classes["page"]}>
      <div className={classes["box"]}>
        <div className={classes["brand"]}>
          <img src={icon} alt="" />
          <div>
            <h1>{name}</h1>
            <p>{t("auth.login.lead")}</p>
          </div>
        </div>
        <div className={classes["panel"]}>
          <OauthOutcomeNote />
          <LoginForm />
          <ProviderButtons />
        </div>
        <TokenLinks />
        <div className={classes["help"]}>
          <p>{t("auth.login.whereAccount")}</p>
        </div>
        <div className={classes["foot"]}>
          <LanguageSwitch />
          <span className={classes["version"]}>{client ? `Rollcall ${client.version}` : ""}</span>
        </div>
        <LegalLinks />
      </div>
    </main>
  );
}
