//! Token shapes of vendors, one row each: a kind, the head, what follows.
//!
//! Decides by published formats: a new vendor is a new row, in any order. Lengths are lower bounds where vendors have
//! changed them. Never holds a public key's shape: `pk_live_` and certificates pass.

use alloc::vec::Vec;

use super::Finding;
use super::class::Class::{
    Alnum, Base58, Base64, Digit, Dotted, Hex, Lower, LowerHex, Query, Upper, Url, Word,
};
use super::shape::Part::Text;
use super::shape::{Index, Shape, at_least, between, exactly, shape};

/// Adds every vendor token of `text`.
pub(super) fn scan(text: &str, out: &mut Vec<Finding>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match INDEX.at(bytes, at) {
            Some((kind, span)) => {
                at = span.end.max(at + 1);
                out.push(Finding { kind, span });
            }
            None => at += 1,
        }
    }
}

static INDEX: Index<{ ROWS.len() }> = Index::new(ROWS);

#[rustfmt::skip]
pub(super) const ROWS: &[Shape] = &[
    // Clouds.
    shape("aws_access_key", "AKIA", &[exactly(16, Upper)]),
    shape("aws_access_key", "ASIA", &[exactly(16, Upper)]),
    shape("aws_access_key", "ABIA", &[exactly(16, Upper)]),
    shape("aws_access_key", "ACCA", &[exactly(16, Upper)]),
    shape("aws_bedrock_key", "ABSK", &[at_least(60, Base64)]).weak(),
    shape("google_api_key", "AIza", &[at_least(33, Url)]),
    shape("google_oauth_token", "ya29.", &[at_least(20, Url)]),
    shape("google_client_secret", "GOCSPX-", &[at_least(24, Url)]),
    shape("google_refresh_token", "1//0", &[at_least(30, Url)]).weak(),
    shape("azure_account_key", "AccountKey=", &[at_least(40, Base64)]).named(),
    shape("azure_account_key", "SharedAccessKey=", &[at_least(40, Base64)]).named(),
    shape("azure_client_secret", "8Q~", &[between(31, 34, Dotted)]).behind(3, 3, Word),
    shape("azure_sas", "sig=", &[at_least(40, Query)]).named(),
    shape("aws_signature", "X-Amz-Signature=", &[exactly(64, Hex)]).named(),
    shape("aws_session_token", "X-Amz-Security-Token=", &[at_least(60, Query)]).named(),
    shape("alibaba_key", "LTAI", &[between(12, 26, Alnum)]).weak(),
    shape("tencent_key", "AKID", &[between(32, 36, Alnum)]).weak(),
    shape("yandex_key", "AQVN", &[between(35, 38, Url)]),
    shape("yandex_token", "t1.", &[at_least(20, Dotted)]).weak(),
    shape("digitalocean_token", "dop_v1_", &[at_least(60, Hex)]),
    shape("digitalocean_token", "doo_v1_", &[at_least(60, Hex)]),
    shape("digitalocean_token", "dor_v1_", &[at_least(60, Hex)]),
    shape("heroku_key", "HRKU-", &[at_least(30, Url)]),
    shape("fly_token", "fo1_", &[at_least(40, Url)]),
    shape("fly_token", "fm1r_", &[at_least(60, Query)]),
    shape("fly_token", "fm1a_", &[at_least(60, Query)]),
    shape("fly_token", "fm2_", &[at_least(60, Query)]),
    shape("netlify_token", "nfp_", &[at_least(32, Alnum)]),
    shape("vercel_token", "vcp_", &[at_least(24, Alnum)]),
    shape("vercel_token", "vercel_blob_rw_", &[at_least(24, Word)]),
    shape("render_key", "rnd_", &[at_least(24, Alnum)]).weak(),
    shape("scalingo_token", "tk-us-", &[at_least(40, Url)]),
    shape("tailscale_key", "tskey-", &[at_least(20, Url)]).weak(),
    shape("terraform_token", ".atlasv1.", &[at_least(50, Url)]).behind(14, 14, Alnum),
    shape("pulumi_token", "pul-", &[exactly(40, LowerHex)]),
    shape("doppler_token", "dp.pt.", &[at_least(40, Alnum)]),
    shape("doppler_token", "dp.st.", &[at_least(40, Dotted)]),
    shape("doppler_token", "dp.ct.", &[at_least(40, Alnum)]),
    shape("doppler_token", "dp.sa.", &[at_least(40, Alnum)]),
    shape("vault_token", "hvs.", &[at_least(24, Url)]),
    shape("vault_token", "hvb.", &[at_least(60, Url)]),
    shape("vault_token", "hvr.", &[at_least(24, Url)]),
    shape("onepassword_token", "ops_eyJ", &[at_least(100, Query)]),
    shape("onepassword_key", "A3-", &[exactly(6, Upper), Text("-"), between(6, 11, Upper), Text("-"), at_least(5, Upper)]),
    shape("infisical_token", "st.", &[exactly(24, LowerHex), Text("."), exactly(32, LowerHex), Text("."), exactly(32, LowerHex)]),
    shape("age_secret_key", "AGE-SECRET-KEY-1", &[at_least(50, Upper)]),
    shape("amazon_mws_token", "amzn.mws.", &[exactly(8, LowerHex), Text("-"), exactly(4, LowerHex), Text("-"), exactly(4, LowerHex), Text("-"), exactly(4, LowerHex), Text("-"), exactly(12, LowerHex)]),
    shape("amazon_oauth_secret", "amzn1.oa2-cs.v1.", &[exactly(64, LowerHex)]),
    shape("google_express_key", "AQ.Ab8", &[at_least(30, Url)]),
    shape("azure_devops_token", "AZDO", &[exactly(4, Alnum)]).behind(76, 76, Alnum),
    shape("azure_function_key", "AzFu", &[between(8, 12, Base64)]).behind(40, 48, Url),
    shape("cloudflare_token", "cfut_", &[at_least(36, Url)]),
    shape("cloudflare_token", "cfat_", &[at_least(36, Url)]),
    shape("cloudflare_token", "cfk_", &[at_least(36, Url)]),
    shape("cloudflare_origin_key", "v1.0-", &[exactly(24, LowerHex), Text("-"), exactly(146, LowerHex)]),
    shape("aiven_password", "AVNS_", &[at_least(18, Word)]),
    shape("alibaba_token", "STS.", &[at_least(20, Alnum)]).weak(),
    shape("vercel_token", "vck_", &[at_least(24, Alnum)]),
    shape("vercel_token", "vci_", &[at_least(24, Alnum)]),
    shape("vercel_token", "vca_", &[at_least(24, Alnum)]),
    shape("doppler_token", "dp.scim.", &[at_least(40, Alnum)]),
    shape("doppler_token", "dp.audit.", &[at_least(40, Alnum)]),
    shape("openshift_token", "sha256~", &[at_least(40, Url)]),
    shape("yandex_secret", "YC", &[exactly(38, Url)]).weak(),
    shape("yandex_oauth_token", "y0_", &[at_least(50, Url)]),
    shape("defined_networking_token", "dnkey-", &[at_least(40, Url)]),
    shape("bitwarden_token", "0.", &[exactly(8, LowerHex), Text("-"), exactly(4, LowerHex), Text("-"), exactly(4, LowerHex), Text("-"), exactly(4, LowerHex), Text("-"), exactly(12, LowerHex), Text("."), at_least(20, Alnum)]),
    shape("secret_token_uri", "secret-token:", &[at_least(16, Query)]).weak(),
    // Code hosts, packages and builds.
    shape("github_token", "ghp_", &[at_least(36, Alnum)]),
    shape("github_token", "gho_", &[at_least(36, Alnum)]),
    shape("github_token", "ghu_", &[at_least(36, Alnum)]),
    shape("github_token", "ghs_", &[at_least(36, Dotted)]),
    shape("github_token", "ghr_", &[at_least(36, Alnum)]),
    shape("github_token", "github_pat_", &[at_least(50, Word)]),
    shape("gitlab_token", "glpat-", &[at_least(20, Dotted)]),
    shape("gitlab_token", "gldt-", &[at_least(20, Url)]),
    shape("gitlab_token", "glptt-", &[at_least(40, Hex)]),
    shape("gitlab_token", "glrt-", &[at_least(20, Dotted)]),
    shape("gitlab_token", "glrtr-", &[at_least(20, Dotted)]),
    shape("gitlab_token", "glcbt-", &[at_least(20, Url)]),
    shape("gitlab_token", "glimt-", &[at_least(20, Url)]),
    shape("gitlab_token", "glagent-", &[at_least(40, Url)]),
    shape("gitlab_token", "glsoat-", &[at_least(20, Url)]),
    shape("gitlab_token", "glffct-", &[at_least(20, Url)]),
    shape("gitlab_token", "glft-", &[at_least(20, Url)]),
    shape("gitlab_token", "gloas-", &[at_least(60, Url)]),
    shape("gitlab_token", "GR1348941", &[at_least(20, Url)]),
    shape("bitbucket_token", "ATBB", &[at_least(28, Alnum)]).weak(),
    shape("atlassian_token", "ATATT3", &[at_least(60, Query)]),
    shape("atlassian_token", "ATCTT3", &[at_least(60, Query)]),
    shape("npm_token", "npm_", &[at_least(36, Alnum)]),
    shape("pypi_token", "pypi-AgE", &[at_least(40, Url)]),
    shape("rubygems_key", "rubygems_", &[exactly(48, LowerHex)]),
    shape("nuget_key", "oy2", &[exactly(43, Lower)]),
    shape("crates_token", "cio", &[exactly(32, Alnum)]).weak(),
    shape("clojars_token", "CLOJARS_", &[at_least(50, Alnum)]),
    shape("artifactory_key", "AKCp", &[at_least(60, Alnum)]),
    shape("artifactory_token", "cmVmdGtuO", &[at_least(50, Alnum)]),
    shape("docker_token", "dckr_pat_", &[at_least(24, Url)]),
    shape("docker_token", "dckr_oat_", &[at_least(24, Url)]),
    shape("circleci_token", "CCIPAT_", &[at_least(40, Word)]),
    shape("circleci_token", "CCIPRJ_", &[at_least(40, Word)]),
    shape("buildkite_token", "bkua_", &[at_least(32, Alnum)]),
    shape("sonar_token", "squ_", &[exactly(40, LowerHex)]),
    shape("sonar_token", "sqp_", &[exactly(40, LowerHex)]),
    shape("sonar_token", "sqa_", &[exactly(40, LowerHex)]),
    shape("sourcegraph_token", "sgp_", &[at_least(40, Word)]),
    shape("prefect_key", "pnu_", &[at_least(36, Lower)]),
    shape("infracost_key", "ico-", &[at_least(32, Alnum)]),
    shape("atlassian_key", "ATTA", &[at_least(60, Alnum)]),
    shape("deno_token", "ddp_", &[at_least(30, Alnum)]),
    shape("jsr_token", "jsrp_", &[at_least(30, Alnum)]),
    shape("packagist_token", "packagist_", &[at_least(40, Word)]).weak(),
    shape("snyk_token", "snyk_uat.", &[at_least(40, Dotted)]),
    shape("socket_token", "sktsec_", &[at_least(30, Word)]),
    shape("octopus_key", "API-", &[between(26, 32, Upper)]).weak(),
    shape("harness_token", "pat.", &[exactly(22, Url), Text("."), exactly(24, LowerHex), Text("."), exactly(20, Alnum)]),
    shape("harness_token", "sat.", &[exactly(22, Url), Text("."), exactly(24, LowerHex), Text("."), exactly(20, Alnum)]),
    shape("gitlab_token", "glwt-", &[at_least(20, Url)]),
    shape("sourcegraph_token", "slk_", &[exactly(64, LowerHex)]),
    shape("settlemint_token", "sm_aat_", &[exactly(16, Alnum)]),
    shape("settlemint_token", "sm_pat_", &[exactly(16, Alnum)]),
    shape("settlemint_token", "sm_sat_", &[exactly(16, Alnum)]),
    shape("retool_token", "retool_", &[at_least(24, Word)]).weak(),
    shape("prefect_key", "pnb_", &[at_least(36, Lower)]),
    // Models and agents.
    shape("openai_key", "sk-", &[at_least(32, Alnum)]).weak(),
    shape("openai_key", "sk-proj-", &[at_least(32, Url)]),
    shape("openai_key", "sk-svcacct-", &[at_least(32, Url)]),
    shape("openai_key", "sk-admin-", &[at_least(32, Url)]),
    shape("openai_key", "sk-None-", &[at_least(32, Url)]),
    shape("openai_session", "sess-", &[at_least(40, Alnum)]).weak(),
    shape("anthropic_key", "sk-ant-", &[at_least(32, Url)]),
    shape("openrouter_key", "sk-or-v1-", &[at_least(40, Hex)]),
    shape("langfuse_key", "sk-lf-", &[at_least(32, Url)]),
    shape("huggingface_token", "hf_", &[at_least(30, Alnum)]),
    shape("huggingface_token", "api_org_", &[at_least(30, Alnum)]),
    shape("groq_key", "gsk_", &[at_least(40, Alnum)]),
    shape("xai_key", "xai-", &[at_least(60, Alnum)]),
    shape("perplexity_key", "pplx-", &[at_least(40, Alnum)]),
    shape("replicate_token", "r8_", &[at_least(30, Alnum)]),
    shape("nvidia_key", "nvapi-", &[at_least(50, Url)]),
    shape("cerebras_key", "csk-", &[at_least(40, Alnum)]),
    shape("fireworks_key", "fw_", &[at_least(22, Alnum)]).weak(),
    shape("voyage_key", "pa-", &[at_least(40, Url)]).weak(),
    shape("jina_key", "jina_", &[at_least(40, Url)]),
    shape("elevenlabs_key", "sk_", &[exactly(48, LowerHex)]),
    shape("tavily_key", "tvly-", &[at_least(28, Url)]),
    shape("firecrawl_key", "fc-", &[exactly(32, LowerHex)]),
    shape("langsmith_key", "lsv2_pt_", &[at_least(32, Word)]),
    shape("langsmith_key", "lsv2_sk_", &[at_least(32, Word)]),
    shape("pinecone_key", "pcsk_", &[at_least(50, Word)]),
    shape("mem_key", "m0-", &[at_least(32, Alnum)]),
    shape("apify_token", "apify_api_", &[at_least(30, Alnum)]),
    shape("sandbox_key", "e2b_", &[at_least(32, LowerHex)]),
    shape("cursor_key", "key_", &[exactly(64, LowerHex)]),
    shape("together_key", "tgp_v1_", &[at_least(30, Url)]),
    shape("anyscale_key", "esecret_", &[at_least(24, Alnum)]),
    shape("wandb_key", "wandb_v1_", &[at_least(40, Word)]),
    shape("trigger_key", "tr_prod_", &[at_least(20, Alnum)]),
    shape("trigger_key", "tr_dev_", &[at_least(20, Alnum)]),
    shape("deepseek_key", "dsk-", &[at_least(32, LowerHex)]),
    shape("modal_secret", "as-", &[exactly(22, Alnum)]).weak(),
    shape("modal_token", "ak-", &[exactly(22, Alnum)]).weak(),
    shape("composio_key", "ak_", &[at_least(20, Alnum)]).weak(),
    shape("mongodb_service_secret", "mdb_sa_sk_", &[at_least(36, Url)]),
    // Payments and shops.
    shape("stripe_key", "sk_live_", &[at_least(16, Alnum)]),
    shape("stripe_key", "sk_test_", &[at_least(16, Alnum)]),
    shape("stripe_key", "rk_live_", &[at_least(16, Alnum)]),
    shape("stripe_key", "rk_test_", &[at_least(16, Alnum)]),
    shape("webhook_secret", "whsec_", &[at_least(24, Base64)]),
    shape("square_token", "EAAA", &[at_least(56, Url)]).weak(),
    shape("square_token", "sq0atp-", &[at_least(22, Url)]),
    shape("square_secret", "sq0csp-", &[at_least(40, Url)]),
    shape("facebook_token", "EAA", &[at_least(80, Alnum)]).weak(),
    shape("shopify_token", "shpat_", &[at_least(32, Hex)]),
    shape("shopify_token", "shpca_", &[at_least(32, Hex)]),
    shape("shopify_token", "shppa_", &[at_least(32, Hex)]),
    shape("shopify_token", "shpss_", &[at_least(32, Hex)]),
    shape("shopify_token", "shptka_", &[at_least(32, Hex)]),
    shape("shippo_token", "shippo_live_", &[at_least(40, Hex)]),
    shape("shippo_token", "shippo_test_", &[at_least(40, Hex)]),
    shape("easypost_key", "EZAK", &[at_least(54, Alnum)]),
    shape("easypost_key", "EZTK", &[at_least(54, Alnum)]),
    shape("flutterwave_key", "FLWSECK_TEST-", &[at_least(12, Alnum)]),
    shape("flutterwave_key", "FLWSECK-", &[at_least(12, Alnum)]),
    shape("braintree_token", "access_token$production$", &[at_least(32, Word)]),
    shape("plaid_token", "access-production-", &[exactly(36, Url)]),
    shape("duffel_token", "duffel_live_", &[at_least(40, Url)]),
    shape("braintree_token", "access_token$sandbox$", &[at_least(32, Word)]),
    shape("plaid_token", "access-sandbox-", &[exactly(36, Url)]),
    shape("plaid_token", "access-development-", &[exactly(36, Url)]),
    shape("duffel_token", "duffel_test_", &[at_least(40, Url)]),
    shape("mollie_key", "live_", &[exactly(30, Alnum)]).weak(),
    shape("mollie_key", "test_", &[exactly(30, Alnum)]).weak(),
    shape("lob_key", "live_", &[exactly(35, LowerHex)]).weak(),
    shape("lob_key", "test_", &[exactly(35, LowerHex)]).weak(),
    shape("gocardless_token", "live_", &[exactly(40, Url)]).weak(),
    shape("paddle_key", "pdl_live_apikey_", &[at_least(26, Word)]),
    shape("paddle_key", "pdl_sdbx_apikey_", &[at_least(26, Word)]),
    shape("polar_token", "polar_oat_", &[at_least(30, Alnum)]),
    shape("mercadopago_token", "APP_USR-", &[at_least(40, Url)]).weak(),
    shape("brex_token", "bxt_", &[at_least(30, Alnum)]),
    shape("cal_key", "cal_live_", &[at_least(30, LowerHex)]),
    shape("maxmind_key", "_mmk", &[]).behind(36, 36, Word),
    shape("shopify_token", "shpua_", &[at_least(32, Hex)]),
    shape("ebay_secret", "PRD-", &[exactly(12, LowerHex), Text("-"), exactly(4, LowerHex), Text("-"), exactly(4, LowerHex), Text("-"), exactly(4, LowerHex), Text("-"), exactly(4, LowerHex)]),
    // Chat, mail and telephony.
    shape("slack_token", "xoxb-", &[at_least(20, Url)]).weak(),
    shape("slack_token", "xoxp-", &[at_least(20, Url)]).weak(),
    shape("slack_token", "xoxa-", &[at_least(20, Url)]).weak(),
    shape("slack_token", "xoxr-", &[at_least(20, Url)]).weak(),
    shape("slack_token", "xoxs-", &[at_least(20, Url)]).weak(),
    shape("slack_token", "xoxc-", &[at_least(20, Url)]).weak(),
    shape("slack_token", "xoxd-", &[at_least(20, Query)]).weak(),
    shape("slack_token", "xoxe.", &[at_least(20, Dotted)]).weak(),
    shape("slack_token", "xoxe-", &[at_least(20, Url)]).weak(),
    shape("slack_token", "xapp-", &[at_least(20, Url)]).weak(),
    shape("slack_webhook", "hooks.slack.com/services/", &[at_least(9, Upper), Text("/"), at_least(9, Upper), Text("/"), at_least(16, Alnum)]),
    shape("discord_webhook", "discord.com/api/webhooks/", &[between(15, 22, Digit), Text("/"), at_least(50, Url)]),
    shape("discord_webhook", "discordapp.com/api/webhooks/", &[between(15, 22, Digit), Text("/"), at_least(50, Url)]),
    shape("discord_token", "M", &[between(23, 27, Url), Text("."), exactly(6, Url), Text("."), between(27, 40, Url)]).weak(),
    shape("discord_token", "N", &[between(23, 27, Url), Text("."), exactly(6, Url), Text("."), between(27, 40, Url)]).weak(),
    shape("discord_token", "O", &[between(23, 27, Url), Text("."), exactly(6, Url), Text("."), between(27, 40, Url)]).weak(),
    shape("telegram_token", ":AA", &[between(32, 34, Url)]).behind(8, 10, Digit),
    // The address of its interface has the token behind `bot`.
    shape("telegram_token", "bot", &[between(8, 10, Digit), Text(":AA"), between(32, 34, Url)]).named(),
    shape("totp_secret", "secret=", &[at_least(16, Upper)]).named(),
    shape("twilio_key", "SK", &[exactly(32, LowerHex)]),
    shape("sendgrid_key", "SG.", &[between(16, 24, Url), Text("."), at_least(36, Url)]),
    shape("mailgun_key", "key-", &[exactly(32, LowerHex)]),
    shape("mailchimp_key", "-us", &[between(1, 2, Digit)]).behind(32, 32, LowerHex),
    shape("brevo_key", "xkeysib-", &[at_least(64, Url)]),
    shape("brevo_key", "xsmtpsib-", &[at_least(64, Url)]),
    shape("resend_key", "re_", &[exactly(8, Alnum), Text("_"), at_least(20, Alnum)]).weak(),
    shape("teams_webhook", ".webhook.office.com/webhookb2/", &[at_least(36, Url), Text("@"), exactly(36, Url), Text("/IncomingWebhook/"), exactly(32, Alnum), Text("/"), exactly(36, Url)]).behind(1, 40, Url),
    shape("zapier_webhook", "hooks.zapier.com/hooks/catch/", &[between(4, 10, Digit), Text("/"), at_least(6, Alnum)]),
    shape("slack_webhook", "hooks.slack.com/workflows/", &[at_least(9, Upper), Text("/"), at_least(9, Upper), Text("/"), at_least(16, Digit), Text("/"), at_least(16, Alnum)]),
    shape("google_chat_webhook", "chat.googleapis.com/v1/spaces/", &[at_least(8, Url), Text("/messages?key="), at_least(30, Url), Text("&token="), at_least(20, Query)]),
    shape("mailgun_key", "-", &[exactly(8, LowerHex), Text("-"), exactly(8, LowerHex)]).behind(32, 32, LowerHex),
    shape("twitch_token", "oauth:", &[exactly(30, Lower)]).weak(),
    shape("twitter_bearer", "AAAAAAAAAAAAAAAAAAAAA", &[at_least(60, Query)]),
    shape("linkedin_secret", "WPL_AP1.", &[at_least(16, Alnum)]),
    shape("instagram_token", "IGQV", &[at_least(60, Url)]).weak(),
    shape("firebase_messaging_key", ":APA91b", &[at_least(100, Url)]).behind(7, 24, Url),
    shape("roblox_cookie", "_|WARNING:-DO-NOT-SHARE-THIS.", &[at_least(40, Query)]),
    shape("riot_key", "RGAPI-", &[exactly(8, LowerHex), Text("-"), exactly(4, LowerHex), Text("-"), exactly(4, LowerHex), Text("-"), exactly(4, LowerHex), Text("-"), exactly(12, LowerHex)]),
    shape("intercom_token", "dG9rO", &[at_least(40, Base64)]),
    shape("zoho_token", "1000.", &[exactly(32, LowerHex), Text("."), exactly(32, LowerHex)]),
    shape("hubspot_token", "pat-na1-", &[exactly(36, Url)]),
    shape("hubspot_token", "pat-eu1-", &[exactly(36, Url)]),
    shape("asana_token", "1/", &[between(10, 20, Digit), Text(":"), exactly(32, LowerHex)]),
    shape("asana_token", "2/", &[between(10, 20, Digit), Text("/"), between(10, 20, Digit), Text(":"), exactly(32, LowerHex)]),
    shape("clickup_token", "pk_", &[between(6, 10, Digit), Text("_"), exactly(32, Upper)]),
    shape("adobe_secret", "p8e-", &[exactly(32, Alnum)]),
    shape("canva_secret", "cnvca", &[at_least(40, Url)]),
    // Data, monitoring and work.
    shape("databricks_token", "dapi", &[between(32, 34, Url)]).weak(),
    shape("planetscale_token", "pscale_", &[at_least(36, Dotted)]),
    shape("supabase_token", "sbp_", &[at_least(40, Word)]),
    shape("supabase_key", "sb_secret_", &[at_least(20, Url)]),
    shape("neon_key", "napi_", &[at_least(40, Lower)]),
    shape("airtable_token", "pat", &[exactly(14, Alnum), Text("."), exactly(64, LowerHex)]),
    shape("notion_token", "ntn_", &[at_least(40, Alnum)]),
    shape("notion_token", "secret_", &[exactly(43, Alnum)]),
    shape("linear_key", "lin_api_", &[at_least(32, Alnum)]),
    shape("linear_key", "lin_oauth_", &[at_least(32, Alnum)]),
    shape("figma_token", "figd_", &[at_least(36, Url)]),
    shape("contentful_token", "CFPAT-", &[at_least(40, Url)]),
    shape("dropbox_token", "sl.", &[at_least(100, Dotted)]).weak(),
    shape("postman_key", "PMAK-", &[exactly(24, Hex), Text("-"), exactly(34, Hex)]),
    shape("readme_key", "rdme_", &[at_least(64, Lower)]),
    shape("typeform_token", "tfp_", &[at_least(40, Dotted)]),
    shape("adafruit_key", "aio_", &[exactly(28, Alnum)]),
    shape("frameio_token", "fio-u-", &[at_least(60, Url)]),
    shape("mapbox_token", "sk.eyJ", &[at_least(40, Dotted)]),
    shape("launchdarkly_key", "sdk-", &[exactly(8, LowerHex), Text("-"), exactly(4, LowerHex), Text("-"), exactly(4, LowerHex), Text("-"), exactly(4, LowerHex), Text("-"), exactly(12, LowerHex)]),
    shape("grafana_token", "glsa_", &[exactly(32, Alnum), Text("_"), exactly(8, Hex)]),
    shape("grafana_token", "glc_", &[at_least(32, Base64)]),
    shape("sentry_token", "sntrys_", &[at_least(40, Query)]),
    shape("sentry_token", "sntryu_", &[exactly(64, LowerHex)]),
    shape("newrelic_key", "NRAK-", &[at_least(27, Upper)]),
    shape("newrelic_key", "NRII-", &[exactly(32, Url)]),
    shape("newrelic_key", "NRRA-", &[at_least(40, LowerHex)]),
    shape("dynatrace_token", "dt0c01.", &[exactly(24, Upper), Text("."), exactly(64, Upper)]),
    shape("honeycomb_key", "hcaik_", &[at_least(50, Alnum)]),
    shape("posthog_key", "phx_", &[at_least(40, Url)]),
    shape("grafana_key", "eyJrIjoi", &[at_least(60, Base64)]),
    shape("newrelic_key", "NRJS-", &[exactly(19, LowerHex)]),
    shape("newrelic_key", "NRAL", &[]).behind(36, 36, LowerHex),
    shape("sentry_token", "sntrya_", &[exactly(64, LowerHex)]),
    shape("axiom_token", "xaat-", &[exactly(36, Url)]),
    shape("axiom_token", "xapt-", &[exactly(36, Url)]),
    shape("launchdarkly_key", "api-", &[exactly(8, LowerHex), Text("-"), exactly(4, LowerHex), Text("-"), exactly(4, LowerHex), Text("-"), exactly(4, LowerHex), Text("-"), exactly(12, LowerHex)]),
    shape("statsig_key", "secret-", &[at_least(40, Alnum)]).weak(),
    shape("rootly_key", "rootly_", &[exactly(64, LowerHex)]),
    shape("clickhouse_key", "4b1d", &[exactly(38, Alnum)]),
    shape("cockroach_key", "CCDB1_", &[at_least(22, Word)]),
    shape("honeycomb_key", "hcxik_", &[at_least(50, Alnum)]),
    shape("honeycomb_key", "hcxmk_", &[at_least(50, Alnum)]),
    shape("posthog_key", "phs_", &[at_least(40, Url)]),
    shape("ghost_key", ":", &[exactly(64, LowerHex)]).behind(24, 24, LowerHex),
    shape("flagsmith_key", "ser.", &[at_least(20, Alnum)]).weak(),
    shape("bitcoin_private_key", "xprv", &[exactly(107, Alnum)]),
    shape("bitcoin_private_key", "5", &[exactly(50, Base58)]).weak(),
    shape("bitcoin_private_key", "K", &[exactly(51, Base58)]).weak(),
    shape("bitcoin_private_key", "L", &[exactly(51, Base58)]).weak(),
    shape("inngest_key", "signkey-prod-", &[at_least(40, Hex)]),
    shape("inngest_key", "signkey-test-", &[at_least(40, Hex)]),
];

#[cfg(test)]
mod tests {
    use std::format;
    use std::string::String;
    use std::vec::Vec;

    use super::super::shape::Part;
    use super::super::{Finding, find};
    use super::*;

    /// A steady stream of numbers that look like chance.
    struct Dice(u64);

    impl Dice {
        fn next(&mut self) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize
        }

        /// A run in which every third byte is a digit where the class has letters, too.
        fn run(&mut self, length: usize, class: super::super::class::Class) -> String {
            let all: Vec<u8> = (b'0'..=b'z').filter(|&b| class.has(b) && b.is_ascii_alphanumeric()).collect();
            let digits = all.iter().copied().filter(u8::is_ascii_digit).collect::<Vec<_>>();
            let mut pick = |from: &[u8]| char::from(from[self.next() % from.len()]);
            (0..length).map(|i| pick(if i % 3 == 1 { &digits } else { &all })).collect()
        }

        fn token(&mut self, row: &Shape) -> String {
            let mut out = row.behind.map_or_else(String::new, |(class, min, _)| self.run(min, class));
            out.push_str(row.head);
            for part in row.parts {
                match *part {
                    Part::Run(class, min, _) => out.push_str(&self.run(min, class)),
                    Part::Text(text) => out.push_str(text),
                }
            }
            out
        }
    }

    #[test]
    fn every_row_is_found_in_every_setting_with_its_whole_span() {
        let mut dice = Dice(7);
        for row in ROWS {
            let token = dice.token(row);
            for (before, after) in [
                ("", ""),
                ("use ", " now"),
                ("{\"a\":\"", "\"}"),
                ("line\\n", "\\n"),
                ("X=", "\n"),
                ("(", ")."),
            ] {
                let found = find(&format!("{before}{token}{after}"));
                let end = before.len() + token.len();
                assert!(
                    matches!(found.as_slice(), [Finding { kind, span }] if *kind == row.kind && span.end == end),
                    "{} in {before}…{after}: {found:?}",
                    row.kind
                );
            }
        }
    }

    #[test]
    fn no_row_takes_a_stand_in_or_the_middle_of_a_word() {
        for row in ROWS.iter().filter(|row| row.behind.is_none()) {
            let filler: String = row
                .parts
                .iter()
                .map(|part| match *part {
                    Part::Run(_, min, _) => "x".repeat(min),
                    Part::Text(text) => String::from(text),
                })
                .collect();
            assert_eq!(find(&format!("{}{filler}", row.head)), [], "{}", row.kind);
            let token = Dice(11).token(row);
            let found = find(&format!("Q{token}"));
            assert!(found.iter().all(|f| f.span.start > 0), "{}: {found:?}", row.kind);
        }
    }

    #[test]
    fn kinds_are_words() {
        assert!(
            ROWS.iter()
                .all(|row| row.kind.len() < 32
                    && row.kind.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'))
        );
    }
}
