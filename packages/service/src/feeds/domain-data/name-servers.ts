import { words } from './words.ts';

/**
 * Whose name servers hold the names of all kinds of people: registrars, hosts of names, web hosts, parking. To share them
 * with throwaway domains says nothing, so nothing is learned from them. Written by hand; an entry covers all names under it.
 */
const OPERATORS = words(`
  # Hosts of names
  cloudflare.com cloudflare.net googledomains.com google.com azure-dns.com azure-dns.net azure-dns.org azure-dns.info nsone.net
  dnsmadeeasy.com constellix.com constellix.net dnsimple.com dnsimple-edge.net dnsimple-edge.org easydns.com easydns.net easydns.org
  zoneedit.com ultradns.com ultradns.net ultradns.org ultradns.biz ultradns.info ultradns.co.uk akam.net akamaiedge.net edgecastdns.net
  dynect.net p.dynect.net verisigndns.com neustar.biz he.net afraid.org cloudns.net cloudns.uk pointhq.com luadns.net rage4.com
  gcorelabs.net bunny.net desec.io desec.org dnsexit.com dynu.com no-ip.com changeip.org 1984.is 1984hosting.com hosting.is
  # Clouds and hosts of servers
  digitalocean.com linode.com vultr.com hetzner.com hetzner.de first-ns.de second-ns.de second-ns.com ns.de your-server.de scaleway.com
  online.net ovh.net ovh.ca anycast.me contabo.net leaseweb.net leaseweb.org upcloud.com netlify.com vercel-dns.com fly.io
  nsone.net dnspod.net dnspod.com qq.com alidns.com hichina.com aliyun.com huaweicloud-dns.com hwclouds-dns.com myhuaweicloud.com
  xincache.com dns.com bdydns.com dnsv.jp gmoserver.jp yandexcloud.net selectel.org selectel.ru
  # Registrars and web hosts
  domaincontrol.com registrar-servers.com name-services.com worldnic.com register.com netsol.com namebrightdns.com name.com
  dnsowl.com namesilo.com dynadot.com porkbun.com spaceship.net launch1.spaceship.net hover.com tucows.com systemdns.com
  orderbox-dns.com mercury.orderbox-dns.com resellerclub.com publicdomainregistry.com bigrock.in enom.com epik.com gandi.net
  dns-parking.com hostinger.com main-hosting.eu hostgator.com websitewelcome.com bluehost.com hostmonster.com justhost.com
  dreamhost.com siteground.net siteground.com a2hosting.com inmotionhosting.com inmotion.net unifiedlayer.com ipage.com
  wixdns.net squarespacedns.com wordpress.com shopify.com weebly.com webflow.com
  ui-dns.com ui-dns.de ui-dns.org ui-dns.biz 1and1.com ionos.com kundenserver.de rzone.de strato.de stratoserver.net schlundtech.de
  nsentry.de domainfactory.de namespace4you.de kasserver.com netcup.net root-dns.netcup.net udag.de udagdns.net inwx.de inwx.eu inwx.com
  checkdomain.de dogado.de key-systems.net rrpproxy.net hosteurope.com hosteurope.de infomaniak.ch infomaniak.com hostpoint.ch
  cyon.ch metanet.ch one.com loopia.se binero.se glesys.se simply.com simplycom.net dandomain.dk gratisdns.dk domeneshop.no
  hyp.net zoner.fi transip.net transip.nl transip.eu hostnet.nl mijndomein.nl vimexx.nl antagonist.nl combell.com openprovider.nl
  openprovider.be openprovider.eu metaregistrar.com
  123-reg.co.uk fasthosts.net.uk livedns.co.uk heartinternet.co.uk namesco.net krystal.uk lcn.com tsohost.co.uk 20i.com stackdns.com
  ns-cloud.com amen.fr lws.fr planethoster.net o2switch.net online.fr
  aruba.it technorail.com arubadns.cz register.it dns.it seeweb.it serverplan.com netsons.com keliweb.com
  dinahosting.com arsys.es nominalia.com cdmon.net cdmon.org piensasolutions.com raiola.com webempresa.eu ptisp.pt
  home.pl nazwa.pl az.pl dhosting.pl cyberfolks.pl ovh.pl lh.pl domena.pl
  wedos.net wedos.com wedos.eu wedos.cz forpsi.net forpsi.cz active24.cz websupport.sk hostinger.hu dotroll.com
  rotld.ro hostway.ro romarg.net superhosting.bg icn.bg papaki.gr tophost.gr
  reg.ru nic.ru r01.ru beget.com beget.ru beget.pro timeweb.ru timeweb.org sweb.ru jino.ru masterhost.ru hosting.reg.ru peterhost.ru
  ukraine.com.ua hostpro.ua hosting-ua.com mirohost.net imena.ua
  natrohost.com turhost.com isimtescil.net guzelhosting.com
  dns.ne.jp sakura.ne.jp xserver.jp lolipop.jp heteml.jp value-domain.com onamae.com dnsv.jp muumuu-domain.com star-domain.jp
  gabia.io gabia.net cafe24.com whoisdomain.kr hosting.kr dnsever.com megazone.com
  mschosting.com exabytes.com crazydomains.com ventraip.com.au netregistry.net partnerconsole.net melbourneit.com.au zuver.net.au
  hostafrica.com afrihost.co.za xneelo.com konsoleh.co.za domains.co.za
  locaweb.com.br uolhost.com.br kinghost.net hostgator.com.br umbler.com registro.br a.sec.dns.br dns.br neubox.net
  njal.la njalla.no njalla.in
  # Parking and sale
  above.com sedoparking.com parkingcrew.net bodis.com afternic.com dan.com undeveloped.com hugedomains.com dnsnuts.com voodoo.com
  parklogic.com uniregistrymarket.link
`);

/** Route 53 takes its names from 64 domains under each of four endings. */
const ROUTE_53 = ['com', 'net', 'org', 'co.uk'].flatMap((ending) =>
  Array.from({ length: 64 }, (_, number) => `awsdns-${String(number).padStart(2, '0')}.${ending}`),
);

export const SHARED_NAME_SERVERS: readonly string[] = [...OPERATORS, ...ROUTE_53];
