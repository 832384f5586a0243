/** Words in a network’s name that show its purpose. All are matched in lower case. */

export const VPN_NAME = /\bvpn\b|vpn\.|^[a-z0-9]+vpn\b/;

export const PROXY_NAME = /\bprox(?:y|ies)\b|[a-z]prox(?:y|ies)\b/;

/** Words that only hosting companies use. `veri merkezi` is Turkish for data centre, `sunucu` for server. */
export const HOSTING_NAME =
  /hosting|hospedagem|hostinger|\bvps|vps\b|\bvds\b|dedicated serv|data ?-?cent(?:er|re|rum)|datacamp|\bcolo\b|colocation|colocat|\bidc\b|web ?host|bare ?metal|serverhousing|\bservers\b|cloud ?(?:comput|serv|infra|tech)|veri merkezi|sunucu|anti-?ddos|\biaas\b/;

/** Words that hosting companies use, but other companies too. */
export const HOSTING_HINT =
  /host\b|hosts\b|^host|\bhost|(?<!was|ob|con|re)server|cloud|\bcolo(?![mnprsu])|\brack|\bdedi(?!ca)|virtual (?:private|machine|serv)|\bcdn\b|(?<!bis)nodes?\b/;

/** Words of access providers. With one of these in the name, a hint is not enough. */
export const ACCESS_NAME =
  /telecom|telekom|telco|telefon|telephon|comunica|communica|broadband|banda larga|\bcable|cabo|\bfib(?:er|re|ra)|wireless|wifi|wi-fi|\bisp\b|provedor|provider|proveedor|internet serv|mobile|\bgsm\b|\blte\b|\btv\b|television|multimidia|multimedia|\bnet(?:work)? ?com|university|universid|school|college|hospital|\bbank|government|ministry|municip|insurance|airline|hotel|\bvoip|\bvoice/;
