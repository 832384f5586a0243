/**
 * Hosts under which anybody gets a name for nothing, mail records included: dynamic DNS and free-domain
 * services. Sign-ups from names under them are throwaways far more often than somebody’s own mail server, and the
 * names change too fast for any list. A project that knows better puts the name on its allow list.
 * Left out: hosts that sell their names (it.com, uk.com, de.com …), hosts that look each applicant over (is-a.dev,
 * js.org …), site hosts that give no mail records (github.io, vercel.app …), regions’ and personal suffixes
 * that a registry keeps (cn.ua, my.id …).
 */
export const FREE_HOSTS = `
  # Free registries
  eu.org pp.ua nyc.mn us.kg xx.kg dpdns.org qzz.io zone.id nett.to opik.net ggff.net io.vn
  cc.cd eu.cc ccwu.cc de5.net us.ci indevs.in bot.cd qd.je cloud-ip.cc abrdns.com dnsabr.com dns-cloud.net
  usa.cc flu.cc nut.cc igg.biz cu.cc cz.cc vv.cc cx.cc uni.cc co.cc co.tv uni.me ce.ms uu.gl info.tm ze.cx 2bd.net
  cn.mt bbroot.com sryze.cc netlib.re
  fr.nf biz.st infos.st asso.st xxl.st work.gd run.place ps4.rocks
  eu.tf at.tf ch.tf de.tf dd.tf us.tf co.nr co.nf de.lv at.vu de.vu it.st us.st eu.tc net.tc uk.ms us.ms de.ms
  kro.kr o-r.kr n-e.kr p-e.kr r-e.kr jo3.org dns.army dns.navy v6.army v6.navy v6.rocks
  gdn.me clan.rip l5.ca l2.gl tk.gl xorg.pl orge.pl bij.pl bee.pl 345.pl vo.uk coms.hk
  # Voxel.sh
  neko.am nyaa.am be.ax cat.ax es.ax eu.ax gg.ax mc.ax us.ax xy.ax nl.ci xx.gl blog.gt de.gt to.gt be.gy cc.hn blog.kg io.kg
  jp.kg tv.kg uk.kg de.ls at.md de.md jp.md to.md ch.tc me.tc we.tc nyan.to at.vg blog.vu dev.vu me.vu
  # Dynu
  dynu.net loseyourip.com mywire.org ooguy.com camdvr.org giize.com ddnsfree.com kozow.com theworkpc.com
  accesscam.org freeddns.org webredirect.org gleeze.com casacam.net ddnsgeek.com bumbleshrimp.com myddns.rocks blogsite.xyz
  # dynv6, deSEC, ddnss, ClouDNS, DuckDNS, YDNS, nsupdate, DNSExit, freemyip, DNShome, GoIP, TwoDNS, DDNS5
  dynv6.net dedyn.io ddnss.de ddnss.org dyn-ip24.de dyndns1.de home-webserver.de home-webserver.org myhome-server.de
  cloudns.asia cloudns.be cloudns.biz cloudns.cc cloudns.ch cloudns.cl cloudns.club cloudns.cx cloudns.eu cloudns.in
  cloudns.info cloudns.nz cloudns.org cloudns.ph cloudns.pro cloudns.pw cloudns.us ip-ddns.com ddns-ip.net
  duckdns.org ydns.eu nsupdate.info linkpc.net publicvm.com line.pm freemyip.com dnshome.de goip.de ddns5.com
  dd-dns.de dray-dns.de draydns.de dyn-vpn.de dynvpn.de my-wan.de spdns.de spdns.eu spdns.org my-gateway.de my-router.de
  firewall-gateway.com firewall-gateway.de firewall-gateway.net selfhost.bz selfhost.eu selfhost.me selfhost.tv
  # FreeDNS (afraid.org)
  mooo.com us.to uk.to my.to chickenkiller.com crabdance.com ignorelist.com jumpingcrab.com strangled.net
  twilightparadox.com ftp.sh privatedns.org raspberryip.com minecraftr.us soon.it allowed.org biz.tm homenet.org h4ck.me
  info.gf undo.it root.sx evils.in port0.org pwnz.org now.im verymad.net bad.mn jungleheart.com
  # Now-DNS
  dnsking.ch mypi.co n4t.co 001www.com ddnslive.com myiphost.com forumz.info 16-b.it 32-b.it 64-b.it soundcast.me tcp4.me
  dnsup.net hicam.net now-dns.net now-dns.org now-dns.top ownip.net vpndns.net dynserv.org x443.pw ntdll.top freeddns.us
  crafting.xyz zapto.xyz
  # No-IP
  ddns.net ddns.me ddnsking.com hopto.org hopto.me myftp.org myftp.biz myvnc.com no-ip.biz no-ip.ca no-ip.co.uk no-ip.info
  no-ip.net no-ip.org noip.me noip.us redirectme.net servebeer.com serveblog.net servecounterstrike.com serveftp.com
  servegame.com servehalflife.com servehttp.com serveirc.com serveminecraft.net servemp3.com servepics.com servequake.com
  serveexchange.com servehumour.com servep2p.com servesarcasm.com sytes.net quicksytes.com viewdns.net webhop.me zapto.org
  bounceme.net freedynamicdns.net freedynamicdns.org onthewifi.com gotdns.ch 3utilities.com access.ly blogsyte.com brasilia.me
  couchpotatofries.org dnsfor.me dnsiskinky.com dynns.com ditchyourip.com golffan.us ufcfan.org nflfan.org mlbfan.org nhlfan.net
  mmafan.biz pgafan.net pointto.us point2this.com loginto.me mypsx.net mydissent.net myeffect.net net-freaks.com
  stufftoread.com unusualperson.com workisboring.com ciscofreak.com damnserver.com geekgalaxy.com
  # ChangeIP
  changeip.org dynamic-dns.net dns-dns.com ddns.info ddns.mobi ddns.ms ddns.us dns04.com dns05.com dsmtp.com dumb1.com
  dynamicdns.biz dynssl.com edns.biz epac.to esmtp.biz ezua.com faqserv.com fartit.com freewww.biz ftp1.biz gr8domain.biz
  gr8name.biz https443.net ikwb.com instanthq.com itemdb.com itsaol.com jetos.com jkub.com justdied.com lflink.com lflinkup.com
  longmusic.com mefound.com moneyhome.biz mrbasic.com mrbonus.com mrface.com mrslove.com my03.com mylftv.com mynumber.org
  mypop3.net mynetav.com ns01.info ns02.info ocry.com onedumb.com onmypc.net organiccrap.com otzo.com ourhobby.com port25.biz
  proxydns.com qhigh.com qpoe.com rebatesrule.net sellclassics.com sendsmtp.com serveuser.com serveusers.com sexidude.com
  sixth.biz squirly.info ssl443.org toh.info toythieves.com trickip.net vizvaz.com wikaba.com www1.biz wwwhost.biz x24hr.com
  xxuz.com xxxy.biz ygto.com youdontcare.com yourtrap.com zyns.com zzux.com
  # DynDNS
  dyndns.org dyndns.info dyndns.tv dyndns.biz dyndns.ws dyndns-home.com dyndns-ip.com dyndns-mail.com dyndns-server.com
  dyndns-free.com dyndns-web.com dyndns-work.com dyndns-office.com dyndns-remote.com homeip.net homelinux.com homelinux.net
  homelinux.org homeunix.com homeunix.net homeunix.org dnsalias.com dnsalias.net dnsalias.org dnsdojo.com dnsdojo.net dnsdojo.org
  doesntexist.com doesntexist.org dontexist.com dontexist.net dontexist.org doomdns.com doomdns.org dynalias.com dynalias.net
  dynalias.org blogdns.com blogdns.net blogdns.org ath.cx gotdns.com gotdns.org is-a-geek.com is-a-geek.net is-a-geek.org
  kicks-ass.net kicks-ass.org selfip.com selfip.net selfip.org selfip.biz selfip.info servebbs.com servebbs.net servebbs.org
  webhop.biz webhop.info webhop.net webhop.org homeftp.net homeftp.org game-host.org game-server.cc ftpaccess.cc mine.nu
  merseine.nu shacknet.nu podzone.net podzone.org endofinternet.net endofinternet.org
  # Oray and Pubyun
  3322.org f3322.net x3322.net 2288.org 6600.org 7766.org 8800.org 8866.org 9966.org xicp.net vicp.net vicp.cc oicp.net gicp.net
  eicp.net wicp.net picp.net imwork.net iok.la 51vip.biz
  # Free web hosts: iFastNet and InfinityFree, Hostinger’s old free plan, AwardSpace and others
  rf.gd free.nf ct.ws gt.tc xo.je page.gd 000.pe wuaze.com great-site.net kesug.com 42web.io lovestoblog.com infinityfreeapp.com
  liveblog365.com iceiy.com hstn.me fwh.is likesyou.org zya.me esy.es hol.es 16mb.com 96.lt 890m.com zz.vc url.ph pe.hu
  unaux.com epizy.com byethost7.com freecluster.eu ct8.pl x10.mx x10.bz atwebpages.com mypressonline.com medianewsonline.com
  scienceontheweb.net sportsontheweb.net onlinewebshop.net getenjoyment.net mygamesonline.org
`;
