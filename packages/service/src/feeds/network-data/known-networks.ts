import type { NetworkKind } from '../../lookup/ip-ranges-format.ts';

interface KnownNetworks {
  readonly kind: NetworkKind;
  readonly reason: string;
  readonly numbers: readonly number[];
}

/**
 * Networks whose number settles what they are. `ordinary` keeps a network out of every class, whatever its name
 * suggests. A number stands here once; a test holds that.
 */
export const KNOWN_NETWORKS: readonly KnownNetworks[] = [
  {
    kind: 'relay',
    reason:
      'Egress of iCloud Private Relay, and of Cloudflare WARP: what a platform switches on for ordinary people. People do not otherwise browse from a content network.',
    numbers: [
      36183, 20940, 13335, 54113, 14789, 132892, 139242, 202623, 203898, 209242, 394536, 395747, 400095,
    ],
  },
  {
    kind: 'corporate',
    reason: 'Zscaler’s cloud: employees’ traffic on its way out of their company.',
    numbers: [22616, 53444, 53813, 62044, 62907],
  },
  {
    kind: 'corporate',
    reason:
      'Secure web gateways of other vendors: Netskope, Palo Alto Prisma, Cisco Umbrella, Menlo, Forcepoint, iboss, Cato, Check Point, Skyhigh, Versa, Fortinet, Island, Symantec.',
    numbers: [
      55256, 2763, 54538, 64280, 396421, 36692, 25605, 62654, 13448, 44444, 42465, 43251, 7598, 137922,
      202276, 396253, 13150, 138627, 213176, 398391, 30343, 31997, 32106, 40344, 25046, 14600, 400318, 198365,
      40934, 53928, 16766, 7583,
    ],
  },
  {
    kind: 'tor',
    reason: 'Associations that run Tor exits and nothing else in these networks.',
    numbers: [60729, 208323, 396507, 198093, 205100, 401370],
  },
  {
    kind: 'vpn',
    reason:
      'Networks of VPN companies: NordVPN (PacketHub), Mullvad (31173 Services), Proton, Windscribe, IVPN, ExpressVPN (Secure Data Systems, F.N.S. Holdings), VyprVPN (Powerhouse Management), IPVanish and StrongVPN (Strong Technology, Mudhook), Avast and HMA, PureVPN (Secure Internet), Anonymizer, Surfshark (Cyberzone), CyberGhost (Invite Systems), Riseup.',
    numbers: [
      209854, 44679, 16652, 136787, 147049, 141039, 207137, 272096, 39351, 49399, 214813, 216025, 62371,
      199218, 208172, 209103, 397540, 203619, 3210, 206092, 22363, 13926, 22781, 54203, 62651, 140952, 46253,
      198605, 198621, 202003, 394087, 201665,
    ],
  },
  {
    kind: 'vpn',
    reason:
      'Hosts whose ranges are rented to VPN companies for the greater part: Datacamp, GSL, tzulo, M247 Europe, HostRoyale, EstNOC, Orion, PVDataNet, Private Layer, Owl, M247’s other networks.',
    numbers: [
      212238, 60068, 211612, 137409, 7578, 11878, 9009, 51332, 16247, 206804, 41564, 58065, 42201, 51852,
      43357, 23959, 33970,
    ],
  },
  {
    kind: 'vpn',
    reason:
      'Small networks in the United States, a few /24s each, in which VPN companies have their racks: Byte Node, Data Bridge, Cyber Data, Jone Broadband, Hayashimo, SB Professional Services.',
    numbers: [17243, 30671, 400882, 25737, 399935, 32727],
  },
  {
    kind: 'proxy',
    reason: 'Sellers of proxies: Oxylabs, Sprious and Blazing SEO (Rayobyte), IPRoyal.',
    numbers: [396319, 64267, 54252, 397630, 209043],
  },
  {
    kind: 'hosting',
    reason:
      'Clouds of companies that also have networks for other ends under the same name: Google, Oracle, Akamai (Linode), IBM, Yandex, Equinix Metal.',
    numbers: [
      15169, 396982, 394089, 19527, 214609, 214611, 31898, 63949, 48337, 36351, 200350, 210656, 215013, 54825,
      33070,
    ],
  },
  {
    kind: 'hosting',
    reason: 'Hosts of servers, and lessors of address space to them, whose names do not say so.',
    numbers: [
      834, // IPXO
      3223, // Voxility
      6364, // Atlantic.Net
      7859, // pair Networks
      8100, // QuadraNet
      11831, // eSecureData
      14127, // iland
      15083, // Infolink
      15817, // Mittwald
      17561, // Larus
      18978, // Enzu
      20021, // Ntirety
      22489, // Castle Access
      23033, // Wowrack
      23352, // Deft (ServerCentral)
      24806, // Internet CZ (Forpsi)
      25820, // IT7 Networks (BandwagonHost)
      27176, // DataWagon
      29066, // velia.net
      30083,
      29182, // IOT (ISPserver)
      29838, // Atlantic Metro
      30475, // Handy Networks
      30602, // ISPrime
      32748, // Steadfast
      33438, // StackPath, once Highwinds
      34224, // Neterra
      34549, // meerfarbig
      34788, // Neue Medien Muennich (all-inkl)
      34927, // iFog
      35048, // Biterika
      35415, // Webzilla
      35592, // Coolhousing
      37153, // xneelo
      38001, // NewMedia Express
      133219,
      134451,
      38719, // Dreamscape
      39378, // servinga
      58329,
      42695, // Cleura
      43948, // GleSYS
      45638, // Synergy Wholesale
      47328, // DigitalOne
      49367, // Seflow
      50132, // 3NT Solutions
      53755, // Input Output Flood
      53831, // Squarespace
      54489, // CoreSpace
      55081, // 24 Shells
      56971, // CGI Global
      57858, // Angelnet
      58212, // dataforest
      60404, // The Infrastructure Group (LiteServer)
      62744, // Quintex
      64050, // BGP Network
      64245, // DigitalFyre
      64286, // LogicWeb
      138195, // Moack
      139646, // Lightlayer
      149440, // Evoxt
      199610, // marbis
      200651, // FlokiNET
      202425, // IP Volume
      204957, // Green Floid (ITLDC)
      21100,
      206216, // Advin
      210083, // Privex
      210558, // 1337 Services
      397273, // Render
      400940, // Railway
      40509, // Fly.io
      4213, // Krypt
      35908,
      35916, // Multacom
      54600, // PEG TECH
      62904, // Eonix
      398781, // Oculus Networks
      399486, // Virtuo
      398090, // Lambda
      20857, // TransIP
      47810, // Proservice
      48314, // IP-Projects
      133480, // 5G Networks
      205053, // Asimia Damaskou
      205119, // Teleks
      40065, // CNSERVERS
      132839, // Power Line
      134548, // DXTL
      3170, // VeloxServ
      7765, // Koumbit
      13737, // Interconnecx
      19531, // Nodes Direct
      24768, // Almouroltec
      33083, // AxcelX
      34568, // ConnectingBytes
      35758, // Rachamim Aviel Twito (HQserv)
      37518, // Fiber Grid
      37684, // Angani
      41095, // IPTP
      45179, // SiteTech (SiteHost)
      46015, // Exa Bytes
      56309, // Siamdata
      63018, // Dedicated.com
      132825, // Mytek
      147176, // NZ Network Enterprise
      154177, // Light Node
      205072, // Layershift
      212336, // ByteVirt
      213840, // DDoS Protection
      263812, // Sondatech
      268581, // QNAX
      394256, // Tech Futures Interactive
      397373, // H4Y
      400536, // Nodestop
      400587, // Ryamer
      214083, // NodeHub
      43945, // IPv4Center
      47869, // Netrouting
      12993, // Delska
      62282,
      201201,
      215373,
    ],
  },
  {
    kind: 'ordinary',
    reason:
      'Access networks, carriers and public bodies whose names look like a host’s or a cloud’s: Google Fiber, Webpass, Afrihost, the Wi-Fi of The Cloud, Fiberhost, Colosseum, Virtual1, VoiceHost, DC-Net, HAProxy, Virtual ISP, Virtual Telecom, Cloudnet, CloudWyze, SoundCloud, VPS Broadband, an insurer’s data centre, the city of St. Cloud, Rack Room Shoes, Baker & Hostetler, Cloudera, InvestCloud.',
    numbers: [
      16591, 32664, 36027, 46994, 197157, 201962, 395819, 135756, 10975, 19165, 32381, 37611, 41012, 39834,
      19842, 47474, 31472, 33084, 11019, 35197, 56391, 39288, 27683, 263097, 46868, 20367, 39985, 35989,
      63377, 398880, 395683,
    ],
  },
  {
    kind: 'ordinary',
    reason: 'Carriers that people reach the internet through, with servers among their customers.',
    numbers: [
      174, 1239, 1299, 2914, 3257, 3356, 3491, 4637, 5511, 6453, 6461, 6762, 6939, 7018, 701, 9002, 12956,
      15830,
    ],
  },
];
