/**
 * Hosts under which anybody gets a name for nothing, mail records included: dynamic DNS and free-domain
 * services. Sign-ups from names under them are throwaways far more often than homes of a mail server, and the
 * names change too fast for any list. A project that knows better puts its domain on its allow list.
 * Hosts that sell their names (it.com, uk.com, de.com …) and site hosts that give no mail records
 * (github.io, vercel.app …) are not here.
 */
export const FREE_HOSTS = `
  # Free registries
  eu.org pp.ua nyc.mn us.kg xx.kg dpdns.org qzz.io
  cc.cd eu.cc ccwu.cc de5.net us.ci indevs.in bot.cd qd.je cloud-ip.cc abrdns.com dnsabr.com dns-cloud.net
  usa.cc flu.cc nut.cc igg.biz cu.cc cz.cc vv.cc cx.cc uni.cc co.cc co.tv uni.me ce.ms uu.gl info.tm ze.cx
  fr.nf biz.st infos.st asso.st xxl.st rf.gd work.gd run.place ps4.rocks
  eu.tf at.tf ch.tf de.tf dd.tf us.tf co.nr co.nf
  kro.kr o-r.kr n-e.kr p-e.kr r-e.kr jo3.org dns.army dns.navy v6.army v6.navy v6.rocks
  gdn.me pro.vn.ua biz.vn.ua cn.ua clan.rip l5.ca l2.gl tk.gl
  # Dynu
  dynu.net loseyourip.com mywire.org ooguy.com camdvr.org giize.com ddnsfree.com kozow.com theworkpc.com
  accesscam.org freeddns.org webredirect.org gleeze.com casacam.net ddnsgeek.com bumbleshrimp.com
  # dynv6, deSEC, ddnss, ClouDNS, FreeDNS (afraid.org), DuckDNS, YDNS, nsupdate, DNSExit
  dynv6.net dedyn.io ddnss.de ddnss.org dyn-ip24.de dyndns1.de home-webserver.de home-webserver.org myhome-server.de
  cloudns.asia cloudns.be cloudns.biz cloudns.cc cloudns.ch cloudns.cl cloudns.club cloudns.cx cloudns.eu cloudns.in
  cloudns.info cloudns.nz cloudns.org cloudns.ph cloudns.pro cloudns.pw cloudns.us ip-ddns.com ddns-ip.net
  mooo.com us.to chickenkiller.com crabdance.com ignorelist.com jumpingcrab.com strangled.net twilightparadox.com
  uk.to ftp.sh privatedns.org raspberryip.com minecraftr.us soon.it allowed.org
  duckdns.org ydns.eu nsupdate.info linkpc.net publicvm.com line.pm
  # No-IP
  ddns.net ddnsking.com hopto.org myftp.org myftp.biz myvnc.com no-ip.biz no-ip.ca no-ip.info no-ip.net no-ip.org
  noip.me noip.us redirectme.net servebeer.com serveblog.net servecounterstrike.com serveftp.com servegame.com
  servehalflife.com servehttp.com serveirc.com serveminecraft.net servemp3.com servepics.com servequake.com sytes.net
  viewdns.net webhop.me zapto.org bounceme.net freedynamicdns.net freedynamicdns.org onthewifi.com gotdns.ch 3utilities.com
  access.ly blogsyte.com brasilia.me couchpotatofries.org dnsfor.me golffan.us hopto.me
  # ChangeIP and DynDNS
  changeip.org dynamic-dns.net dns-dns.com dyndns.org dyndns.info dyndns.tv homeip.net homelinux.com homelinux.net
  homelinux.org homeunix.com homeunix.net homeunix.org dnsalias.com dnsalias.net dnsalias.org dynalias.com dynalias.net
  dynalias.org dyndns-home.com dyndns-ip.com ath.cx gotdns.com gotdns.org is-a-geek.com is-a-geek.net is-a-geek.org
  kicks-ass.net kicks-ass.org selfip.com selfip.net selfip.org selfip.biz selfip.info servebbs.com servebbs.net servebbs.org
  # Free web hosts that pass mail on
  unaux.com epizy.com byethost7.com 000webhostapp.com freecluster.eu ct8.pl
  # Free second-level registries under the old free top-level domains’ neighbours
  xorg.pl orge.pl bij.pl bee.pl 345.pl vo.uk coms.hk
`;
